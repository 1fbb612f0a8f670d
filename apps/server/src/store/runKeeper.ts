import { clearInterval, setInterval } from 'node:timers'
import type { RunNews } from '../run/runNews.ts'
import type { RunStore } from './runStore.ts'

const FLUSH_SECONDS = 1

/**
 * Writes down what a run tells, once a second, so that a crash loses at most the last second. A reset begins a new entry.
 * A store that fails is reported once through `fault` and does not hurt the run.
 */
export class RunKeeper {
  readonly #store: RunStore
  readonly #run: string
  readonly #scenarioDocument: string
  readonly #askLog: () => Promise<string>
  readonly #fault: (cause: unknown) => void
  readonly #timer: NodeJS.Timeout
  #id: number | undefined
  /** The latest frame not yet written: one a second is kept, so that a run of a week stays small. */
  #frame: { seq: number; text: string } | undefined
  #commanded = false
  /** Nothing is written any more: the store failed, or the server stops. */
  #over = false

  constructor(options: {
    store: RunStore
    run: string
    scenarioDocument: string
    askLog: () => Promise<string>
    fault: (cause: unknown) => void
  }) {
    this.#store = options.store
    this.#run = options.run
    this.#scenarioDocument = options.scenarioDocument
    this.#askLog = options.askLog
    this.#fault = options.fault
    this.#timer = setInterval(() => this.flush(), FLUSH_SECONDS * 1000)
    this.#timer.unref()
  }

  readonly hear = (news: RunNews): void => {
    if (news.kind === 'begun') this.#guarded(() => this.#begin(news.facts.name, news.facts.seed))
    if (news.kind === 'frame' && news.thin !== undefined) this.#frame = { seq: news.seq, text: news.thin }
    if (news.kind === 'event') this.#commanded = true
    if (news.kind === 'ended') {
      this.flush()
      this.#guarded(() => this.#end(JSON.stringify(news.summary)))
    }
  }

  /** Writes what has come since the last time. */
  flush(): void {
    const id = this.#id
    if (id === undefined) return
    const frame = this.#frame
    this.#frame = undefined
    if (frame !== undefined) this.#guarded(() => this.#store.addFrames(id, [frame]))
    if (!this.#commanded) return
    this.#commanded = false
    this.#askLog()
      .then((log) => this.#guarded(() => this.#store.setLog(id, log)))
      .catch(() => undefined)
  }

  /** The server stops: what was not written is. */
  close(): void {
    clearInterval(this.#timer)
    this.flush()
    this.#guarded(() => this.#end(undefined))
    this.#over = true
  }

  #begin(scenario: string, seed: number): void {
    this.flush()
    this.#end(undefined)
    const run = { run: this.#run, scenario, seed, startedAt: new Date().toISOString() }
    this.#id = this.#store.begin(run, this.#scenarioDocument)
  }

  #end(summary: string | undefined): void {
    if (this.#id === undefined) return
    this.#store.end(this.#id, new Date().toISOString(), summary)
    this.#id = undefined
  }

  #guarded(write: () => void): void {
    if (this.#over) return
    try {
      write()
    } catch (cause) {
      this.#over = true
      this.#fault(cause)
    }
  }
}
