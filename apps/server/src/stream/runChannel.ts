import {
  PROTOCOL_VERSION,
  type RunEntry,
  type RunState,
  type RunSummary,
  type ScenarioFacts,
} from '@windtunnel/protocol'
import type { Question, RunHost, RunNews, RunOrder } from '../run/runNews.ts'
import { type Message, Parcel } from './parcel.ts'
import type { Viewer } from './viewer.ts'

const HISTORY_KEPT = 300
const EVENTS_KEPT = 200
const SAMPLES_KEPT = 40

const keep = (texts: string[], text: string, most: number): void => {
  texts.push(text)
  if (texts.length > most) texts.shift()
}

/** One run and its viewers: remembers enough for a late joiner's hello and passes on what the run tells. */
export class RunChannel {
  readonly run: string
  readonly #runs: () => readonly RunEntry[]
  readonly #viewers = new Set<Viewer>()
  readonly #replies = new Map<number, (text: string) => void>()
  #host: RunHost | undefined
  #tokens = 0
  #facts: ScenarioFacts | undefined
  #state: RunState = 'ready'
  #time = 0
  #frame: string | undefined
  #frameSeq = 0
  #thinSeq: number | undefined
  #history: string[] = []
  #events: string[] = []
  #samples: string[] = []
  #ended: string | undefined
  #summary: RunSummary | undefined
  #begun = false
  /** What viewers have not been sent yet: what a run tells in one go, they get in one go. */
  #outbox: Message[] = []

  /** `runs` lists the runs of the server, for a hello. */
  constructor(run: string, runs: () => readonly RunEntry[]) {
    this.run = run
    this.#runs = runs
  }

  /** Connects the run itself, once it is open. */
  connect(host: RunHost): void {
    this.#host = host
  }

  get viewers(): number {
    return this.#viewers.size
  }

  get facts(): ScenarioFacts | undefined {
    return this.#facts
  }

  /** The latest frame as text; undefined before the first. */
  get frame(): string | undefined {
    return this.#frame
  }

  get entry(): RunEntry {
    return { run: this.run, scenario: this.#facts?.name ?? '', state: this.#state, time: this.#time }
  }

  /** Sends a hello and, from now on, whatever happens. */
  join(viewer: Viewer): void {
    this.#deliver()
    viewer.forget()
    viewer.reply(this.#hello())
    this.#viewers.add(viewer)
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer)
  }

  /** The answer of the run to a command or question, as text. */
  ask(
    order:
      | { kind: 'command'; message: Extract<RunOrder, { kind: 'command' }>['message'] }
      | { kind: 'question'; about: Question },
  ): Promise<string> {
    const host = this.#host
    if (host === undefined)
      return Promise.reject(new Error(`The run ${this.run} is not open yet; try again in a moment.`))
    const token = this.#tokens++
    return new Promise((resolve) => {
      this.#replies.set(token, resolve)
      host.send({ ...order, token })
    })
  }

  /** Processor time of the run's own thread; undefined where it is not known. */
  async cpuSeconds(): Promise<number | undefined> {
    return this.#host?.cpuSeconds?.().catch(() => undefined)
  }

  async close(): Promise<void> {
    await this.#host?.close()
  }

  /** What the run tells. */
  readonly hear = (news: RunNews): void => {
    switch (news.kind) {
      case 'begun':
        this.#begin(news.facts)
        break
      case 'frame':
        this.#hearFrame(news)
        break
      case 'event':
        keep(this.#events, news.text, EVENTS_KEPT)
        this.#send(news)
        break
      case 'sample':
        keep(this.#samples, news.text, SAMPLES_KEPT)
        this.#send(news)
        break
      case 'ended':
        this.#ended = news.text
        this.#summary = news.summary
        this.#send(news)
        break
      case 'left':
        break
      case 'broken':
        this.#break(news.message)
        break
      case 'reply':
        this.#deliver()
        this.#replies.get(news.token)?.(news.text)
        this.#replies.delete(news.token)
        break
    }
  }

  /** Tells everybody that waits for something that it will not come. */
  #break(message: string): void {
    this.#host = undefined
    this.#state = 'ended'
    const error = { type: 'error', run: this.run, code: 'internal', message: `The run broke: ${message}` }
    this.#send({ kind: 'event', text: JSON.stringify(error) })
    for (const reply of this.#replies.values()) reply(JSON.stringify(error))
    this.#replies.clear()
  }

  #send(message: Message): void {
    if (this.#outbox.length === 0) queueMicrotask(() => this.#deliver())
    this.#outbox.push(message)
  }

  #deliver(): void {
    if (this.#outbox.length === 0) return
    const parcel = new Parcel(this.#outbox)
    this.#outbox = []
    for (const viewer of this.#viewers) viewer.deliver(parcel)
  }

  #begin(facts: ScenarioFacts): void {
    this.#deliver()
    this.#facts = facts
    this.#history = []
    this.#thinSeq = undefined
    this.#events = []
    this.#samples = []
    this.#frame = undefined
    this.#ended = undefined
    this.#summary = undefined
    this.#begun = true
  }

  #hearFrame(news: Extract<RunNews, { kind: 'frame' }>): void {
    this.#state = news.state
    this.#time = news.time
    this.#frame = news.text
    this.#frameSeq = news.seq
    if (news.thin !== undefined) {
      this.#thinSeq = news.seq
      keep(this.#history, news.thin, HISTORY_KEPT)
    }
    if (this.#begun) {
      // The first frame after a beginning: viewers start from nothing again, and this frame is in their hello.
      this.#begun = false
      for (const viewer of this.#viewers) {
        viewer.forget()
        viewer.reply(this.#hello())
      }
      return
    }
    this.#send({ kind: 'frame', text: news.text })
  }

  /** Put together from texts that were serialised once. */
  #hello(): string {
    const past = this.#thinSeq === this.#frameSeq ? this.#history.slice(0, -1) : this.#history
    const history = this.#frame === undefined ? past : [...past, this.#frame]
    const parts = [
      `"type":"hello","protocol":${PROTOCOL_VERSION}`,
      `"run":${JSON.stringify(this.run)}`,
      `"runs":${JSON.stringify(this.#runs())}`,
      `"scenario":${JSON.stringify(this.#facts)}`,
      `"history":[${history.join(',')}]`,
      `"events":[${this.#events.join(',')}]`,
      `"samples":[${this.#samples.join(',')}]`,
      ...(this.#summary === undefined ? [] : [`"ended":${JSON.stringify(this.#summary)}`]),
    ]
    return `{${parts.join(',')}}`
  }

  /** The terminal message; undefined while the run lives. */
  get endedText(): string | undefined {
    return this.#ended
  }
}
