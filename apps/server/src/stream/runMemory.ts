import { PROTOCOL_VERSION, type RunState, type RunSummary, type ScenarioFacts } from '@windtunnel/protocol'
import type { RunNews } from '../run/runNews.ts'

const HISTORY_KEPT = 300
const EVENTS_KEPT = 200
const SAMPLES_KEPT = 40

const keep = (texts: string[], text: string, most: number): void => {
  texts.push(text)
  if (texts.length > most) texts.shift()
}

/** What a late joiner must know of a run: bounded, and kept as the texts that were serialised once. */
export class RunMemory {
  state: RunState = 'ready'
  /** Virtual time, seconds. */
  time = 0
  facts: ScenarioFacts | undefined
  /** The latest frame; undefined before the first. */
  frame: string | undefined
  #frameSeq = 0
  #thinSeq: number | undefined
  #history: string[] = []
  #events: string[] = []
  #samples: string[] = []
  #summary: RunSummary | undefined

  /** Forgets what was before a new beginning. */
  begin(facts: ScenarioFacts): void {
    this.facts = facts
    this.frame = undefined
    this.#thinSeq = undefined
    this.#history = []
    this.#events = []
    this.#samples = []
    this.#summary = undefined
  }

  hearFrame(news: Extract<RunNews, { kind: 'frame' }>): void {
    this.state = news.state
    this.time = news.time
    this.frame = news.text
    this.#frameSeq = news.seq
    if (news.thin === undefined) return
    this.#thinSeq = news.seq
    keep(this.#history, news.thin, HISTORY_KEPT)
  }

  hearEvent(text: string): void {
    keep(this.#events, text, EVENTS_KEPT)
  }

  hearSample(text: string): void {
    keep(this.#samples, text, SAMPLES_KEPT)
  }

  hearEnd(summary: RunSummary): void {
    this.#summary = summary
  }

  /** The hello of the run `run`; `runs` lists those of the server, JSON. */
  hello(run: string, runs: string): string {
    const past = this.#thinSeq === this.#frameSeq ? this.#history.slice(0, -1) : this.#history
    const history = this.frame === undefined ? past : [...past, this.frame]
    const parts = [
      `"type":"hello","protocol":${PROTOCOL_VERSION}`,
      `"run":${JSON.stringify(run)}`,
      `"runs":${runs}`,
      `"scenario":${JSON.stringify(this.facts)}`,
      `"history":[${history.join(',')}]`,
      `"events":[${this.#events.join(',')}]`,
      `"samples":[${this.#samples.join(',')}]`,
      ...(this.#summary === undefined ? [] : [`"ended":${JSON.stringify(this.#summary)}`]),
    ]
    return `{${parts.join(',')}}`
  }
}
