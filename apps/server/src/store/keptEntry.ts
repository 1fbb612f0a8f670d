import type { NewRun, RunStore, StoredLine } from './runStore.ts'

/** Lines that wait for a store that fails; beyond them the oldest go. */
const MOST_WAITING = 1000

/** One run in the store, from its beginning to its end, and what is still to be written of it. */
export class KeptEntry {
  readonly #store: RunStore
  readonly #run: NewRun
  #id: number | undefined
  /** Frames to be written: one a second is kept, so that a run of a week stays small. */
  #frames: StoredLine[] = []
  #events: StoredLine[] = []
  #eventSeq = 0
  /** The command log so far, JSON texts, and how many of them are in the store. */
  readonly #commands: string[] = []
  #commandsWritten = 0

  constructor(store: RunStore, run: NewRun) {
    this.#store = store
    this.#run = run
  }

  /** `second`: the wall second of playing that it belongs to; a later frame of the same second takes its place. */
  frame(second: number, text: string): void {
    if (this.#frames.at(-1)?.seq === second) this.#frames.pop()
    this.#frames.push({ seq: second, text })
    if (this.#frames.length > MOST_WAITING) this.#frames.shift()
  }

  /** `command`: the logged command that the event tells of, JSON. */
  event(text: string, command?: string): void {
    this.#events.push({ seq: this.#eventSeq++, text })
    if (this.#events.length > MOST_WAITING) this.#events.shift()
    if (command !== undefined) this.#commands.push(command)
  }

  /** Rejects when the store fails; then nothing of it was written, and the next call tries again. */
  async write(): Promise<void> {
    this.#id ??= await this.#store.begin(this.#run)
    const [frames, events, commands] = [[...this.#frames], [...this.#events], this.#commands.length]
    const log = commands > this.#commandsWritten ? { log: this.#log() } : {}
    if (frames.length === 0 && events.length === 0 && log.log === undefined) return
    await this.#store.write(this.#id, { frames, events, ...log })
    this.#commandsWritten = commands
    this.#frames = this.#frames.filter((line) => !frames.includes(line))
    this.#events = this.#events.filter((line) => !events.includes(line))
  }

  async end(endedAt: string, summary: string | undefined): Promise<void> {
    await this.write()
    if (this.#id !== undefined) await this.#store.end(this.#id, endedAt, summary)
  }

  #log(): string {
    return `{"seed":${this.#run.seed},"commands":[${this.#commands.join(',')}]}`
  }
}
