import { clearInterval, setInterval } from 'node:timers'
import type { RunNews } from '../run/runNews.ts'
import { KeptEntry } from './keptEntry.ts'
import type { NewRun, RunStore } from './runStore.ts'

const FLUSH_SECONDS = 1
/** A store that fails so many times in a row is given up. */
const MOST_FAILURES = 60

export interface RunKeeperOptions extends Pick<NewRun, 'run' | 'scenarioDocument' | 'folder'> {
  readonly store: RunStore
  /** Told once when the store begins to fail. */
  readonly fault: (cause: unknown) => void
}

/**
 * Writes down what a run tells, once a second, so that a crash loses at most the last second. A reset begins a new entry. A
 * store that fails does not hurt the run: what could not be written is tried again, for a minute.
 */
export class RunKeeper {
  readonly #options: RunKeeperOptions
  readonly #timer: NodeJS.Timeout
  #entry: KeptEntry | undefined
  /** Writes follow each other; this ends when the last one asked for so far has. */
  #work: Promise<void> = Promise.resolve()
  #waiting = 0
  #failures = 0

  constructor(options: RunKeeperOptions) {
    this.#options = options
    this.#timer = setInterval(() => {
      if (this.#waiting === 0) void this.flush()
    }, FLUSH_SECONDS * 1000)
    this.#timer.unref()
  }

  readonly hear = (news: RunNews): void => {
    if (news.kind === 'begun') this.#begin(news.facts.name, news.facts.seed)
    if (news.kind === 'frame' && news.thin !== undefined) this.#entry?.frame(news.seq, news.thin)
    if (news.kind === 'event') this.#entry?.event(news.text, news.command)
    if (news.kind === 'ended' || news.kind === 'left') void this.end(JSON.stringify(news.summary))
  }

  /** Writes what has come since the last time. */
  flush(): Promise<void> {
    const entry = this.#entry
    return entry === undefined ? this.#work : this.#then(() => entry.write())
  }

  /** The run is over, with its summary, or without one when it is not known. */
  end(summary: string | undefined): Promise<void> {
    const entry = this.#entry
    this.#entry = undefined
    return entry === undefined ? this.#work : this.#then(() => entry.end(new Date().toISOString(), summary))
  }

  /** Whether something is still to be kept: the run has begun and not ended. */
  get open(): boolean {
    return this.#entry !== undefined
  }

  /** Nothing more comes. What was not written is. */
  async close(summary: string | undefined): Promise<void> {
    clearInterval(this.#timer)
    await this.end(summary)
  }

  #begin(scenario: string, seed: number): void {
    void this.end(undefined)
    const { store, run, scenarioDocument, folder } = this.#options
    const startedAt = new Date().toISOString()
    this.#entry = new KeptEntry(store, { run, scenario, seed, startedAt, scenarioDocument, folder })
    void this.flush()
  }

  #then(write: () => Promise<void>): Promise<void> {
    this.#waiting += 1
    this.#work = this.#work.then(async () => {
      try {
        if (this.#failures < MOST_FAILURES) await write()
        if (this.#failures < MOST_FAILURES) this.#failures = 0
      } catch (cause) {
        this.#failures += 1
        if (this.#failures === 1) this.#options.fault(cause)
      } finally {
        this.#waiting -= 1
      }
    })
    return this.#work
  }
}
