import { clearInterval, setInterval } from 'node:timers'
import type { RunNews } from '../run/runNews.ts'
import { KeptEntry } from './keptEntry.ts'
import type { NewRun, RunStore } from './runStore.ts'

/** With a frame for the series every 0.2 s, a store that takes 0.3 s to write still has all but the last second. */
const FLUSH_SECONDS = 0.25
/** A store that fails so many times in a row is given up: after a minute. */
const MOST_FAILURES = 60 / FLUSH_SECONDS

export interface RunKeeperOptions extends Pick<NewRun, 'run' | 'scenarioDocument' | 'folder'> {
  readonly store: RunStore
  /** Told once when the store begins to fail. */
  readonly fault: (cause: unknown) => void
  /** Does `work` again and again; returns what stops it. Timers of Node when absent. */
  readonly repeat?: (work: () => void, seconds: number) => () => void
}

const onTimer = (work: () => void, seconds: number): (() => void) => {
  const timer = setInterval(work, seconds * 1000).unref()
  return () => clearInterval(timer)
}

/**
 * Writes down what a run tells, four times a second, so that a crash loses at most the last second. Of each second that it
 * plays the latest frame stays, in a long run of each few seconds. A reset begins a new entry. A store that fails does not hurt the run: what could not be written is tried again, for a minute.
 */
export class RunKeeper {
  readonly #options: RunKeeperOptions
  readonly #stop: () => void
  #entry: KeptEntry | undefined
  /** Writes follow each other; this ends when the last one asked for so far has. */
  #work: Promise<void> = Promise.resolve()
  #waiting = 0
  /** A write was due while another was under way: it follows at once. */
  #due = false
  #failures = 0

  constructor(options: RunKeeperOptions) {
    this.#options = options
    const { repeat = onTimer } = options
    this.#stop = repeat(() => {
      if (this.#waiting === 0) void this.flush()
      else this.#due = true
    }, FLUSH_SECONDS)
  }

  readonly hear = (news: RunNews): void => {
    if (news.kind === 'begun') this.#begin(news.facts.name, news.facts.seed)
    if (news.kind === 'frame' && news.thin !== undefined) this.#entry?.frame(news.wall, news.thin)
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
    this.#stop()
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
        if (this.#due && this.#waiting === 0) {
          this.#due = false
          void this.flush()
        }
      }
    })
    return this.#work
  }
}
