import type { ErrorMessage, RunEntry, ScenarioFacts } from '@windtunnel/protocol'
import type { Question, RunHost, RunNews, RunOrder } from '../run/runNews.ts'
import { type Message, Parcel } from './parcel.ts'
import { RunMemory } from './runMemory.ts'
import type { Viewer } from './viewer.ts'

/** A command or a question, before it has a token. */
type Asked =
  | { kind: 'command'; message: Extract<RunOrder, { kind: 'command' }>['message'] }
  | { kind: 'question'; about: Question }

/** One run and its viewers: greets those who join, and passes on what the run tells. */
export class RunChannel {
  readonly run: string
  readonly #runs: () => readonly RunEntry[]
  readonly #viewers = new Set<Viewer>()
  readonly #replies = new Map<number, { resolve: (text: string) => void; reject: (fault: Error) => void }>()
  readonly #memory = new RunMemory()
  #host: RunHost | undefined
  #tokens = 0
  /** It has begun, at first or again, and not told a frame yet. */
  #begun = false
  /** Why nothing more comes from the run; undefined while it may. */
  #gone: string | undefined
  /** What viewers have not been sent yet: what a run tells in one go, they get in one go. */
  #outbox: Message[] = []
  /** The hello as things stand, and the list of runs in it. */
  #hello: { readonly runs: string; readonly parcel: Parcel } | undefined

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
    return this.#memory.facts
  }

  /** The latest frame as text; undefined before the first. */
  get frame(): string | undefined {
    return this.#memory.frame
  }

  get entry(): RunEntry {
    const { facts, state, time } = this.#memory
    return { run: this.run, scenario: facts?.name ?? '', state, time }
  }

  /** Sends a hello, at once or when the run has begun, and from then on whatever happens. */
  join(viewer: Viewer): void {
    this.#deliver()
    viewer.forget()
    if (this.#memory.frame !== undefined) viewer.greet(this.#greeting())
    this.#viewers.add(viewer)
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer)
  }

  /** The answer of the run to a command or question, as text. Rejects when the run is not open, or will not answer any more. */
  ask(asked: Asked): Promise<string> {
    const host = this.#host
    if (host === undefined)
      return Promise.reject(new Error(this.#gone ?? `The run ${this.run} is not open yet; try again in a moment.`))
    const token = this.#tokens++
    return new Promise((resolve, reject) => {
      this.#replies.set(token, { resolve, reject })
      host.send({ ...asked, token })
    })
  }

  /** Processor time of the run's own thread; undefined where it is not known. */
  async cpuSeconds(): Promise<number | undefined> {
    return this.#host?.cpuSeconds?.().catch(() => undefined)
  }

  /** The run is taken away: whoever watches it, or waits for an answer, is told. */
  async close(): Promise<void> {
    const host = this.#host
    this.#over({ code: 'unknownRun', message: `The run ${this.run} was taken away; watch another one.` })
    this.#viewers.clear()
    await host?.close()
  }

  /** What the run tells. */
  readonly hear = (news: RunNews): void => {
    if (news.kind === 'reply') {
      this.#deliver()
      this.#replies.get(news.token)?.resolve(news.text)
      this.#replies.delete(news.token)
      return
    }
    this.#hello = undefined
    if (news.kind === 'begun') this.#begin(news.facts)
    else if (news.kind === 'frame') this.#hearFrame(news)
    else if (news.kind === 'broken') this.#over({ code: 'internal', message: `The run broke: ${news.message}` })
    else if (news.kind !== 'left') {
      if (news.kind === 'event') this.#memory.hearEvent(news.text)
      else if (news.kind === 'sample') this.#memory.hearSample(news.text)
      else this.#memory.hearEnd(news.summary)
      this.#send(news)
    }
  }

  #begin(facts: ScenarioFacts): void {
    this.#deliver()
    this.#memory.begin(facts)
    this.#begun = true
  }

  #hearFrame(news: Extract<RunNews, { kind: 'frame' }>): void {
    this.#memory.hearFrame(news)
    if (!this.#begun) {
      this.#send({ kind: 'frame', text: news.text })
      return
    }
    // The first frame after a beginning: viewers start from nothing again, and this frame is in their hello.
    this.#begun = false
    this.#deliver()
    for (const viewer of this.#viewers) {
      viewer.forget()
      viewer.greet(this.#greeting())
    }
  }

  /** Nothing more comes from the run: tells everybody who waits for something. */
  #over(fault: Pick<ErrorMessage, 'code' | 'message'>): void {
    this.#host = undefined
    this.#memory.state = 'ended'
    this.#gone = fault.message
    const error = JSON.stringify({ type: 'error', run: this.run, ...fault } satisfies ErrorMessage)
    this.#send({ kind: 'event', text: error })
    this.#deliver()
    for (const { reject } of this.#replies.values()) reject(new Error(fault.message))
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

  /** The same for everybody who comes before the run tells something new. */
  #greeting(): Parcel {
    const runs = JSON.stringify(this.#runs())
    if (this.#hello?.runs !== runs)
      this.#hello = { runs, parcel: new Parcel([{ kind: 'reply', text: this.#memory.hello(this.run, runs) }]) }
    return this.#hello.parcel
  }
}
