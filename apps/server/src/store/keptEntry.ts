import type { NewRun, RunStore, StoredLine } from './runStore.ts'

/** Lines that wait for a store that fails; beyond them the oldest go. */
const MOST_WAITING = 1000
/** Frames kept of a run: beyond them every other one is forgotten, and half as many are kept from then on. */
const MOST_FRAMES = 7200

/** One run in the store, from its beginning to its end, and what is still to be written of it. */
export class KeptEntry {
  readonly #store: RunStore
  readonly #run: NewRun
  readonly #mostFrames: number
  #id: number | undefined
  /** Wall seconds of playing from one kept frame to the next. */
  #frameStep = 1
  /** The step with which the store was thinned last. */
  #thinnedTo = 1
  /** Frames to be written. */
  #frames: StoredLine[] = []
  #events: StoredLine[] = []
  #eventSeq = 0
  /** The command log so far, JSON texts, and how many of them are in the store. */
  readonly #commands: string[] = []
  #commandsWritten = 0

  constructor(store: RunStore, run: NewRun, mostFrames = MOST_FRAMES) {
    this.#store = store
    this.#run = run
    this.#mostFrames = mostFrames
  }

  /** `wall`: seconds for which the run has been playing. Of each step the latest frame stays. */
  frame(wall: number, text: string): void {
    while (wall >= this.#mostFrames * this.#frameStep) this.#frameStep *= 2
    const seq = Math.floor(wall / this.#frameStep) * this.#frameStep
    if (this.#frames.at(-1)?.seq === seq) this.#frames.pop()
    this.#frames.push({ seq, text })
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
    const [frames, events, commands, frameStep] = [
      [...this.#frames],
      [...this.#events],
      this.#commands.length,
      this.#frameStep,
    ]
    const log = commands > this.#commandsWritten ? { log: this.#log() } : {}
    if (frames.length === 0 && events.length === 0 && log.log === undefined) return
    const thinned = frameStep > this.#thinnedTo ? { frameStep } : {}
    await this.#store.write(this.#id, { frames, events, ...log, ...thinned })
    this.#thinnedTo = frameStep
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
