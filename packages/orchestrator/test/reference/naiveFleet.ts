import { addSeconds } from '@windtunnel/des'
import { type Ending, emptyDraft, type PromptTree, type RequestDraft, type RequestSource } from '@windtunnel/workload'
import type { Observer } from '../../src/index.ts'
import { seconds, ticksOf, timeOf } from './referenceTime.ts'

/** One request as a naive engine sees it. Times are BigInt ticks. */
export class NaiveRequest {
  readonly id: number
  readonly input: number
  readonly output: number
  readonly maxTokens: number
  readonly draft: RequestDraft
  replica = -1
  /** Where it is; 'waiting' means that an engine has not begun with it. */
  phase = 'waiting'
  emitted = 0
  lastToken = 0n
  clientLeft = false

  constructor(id: number, draft: RequestDraft) {
    this.id = id
    this.draft = { ...draft, arrival: { ...draft.arrival } }
    this.input = draft.inputTokens
    this.output = Math.min(draft.outputTokens, draft.maxTokens)
    this.maxTokens = draft.maxTokens
  }
}

export interface NaiveEvent {
  time: bigint
  order: number
  run: () => void
}

/** The engine of one replica, written without any shortcut. */
export interface NaiveEngine {
  events(): NaiveEvent[]
  refuses(request: NaiveRequest): boolean
  enqueue(request: NaiveRequest, now: bigint): void
  abandon(request: NaiveRequest, now: bigint): void
}

export interface NaiveSurroundings {
  readonly replica: number
  readonly observer: Observer
  readonly tree: PromptTree
  now(): bigint
  finished(request: NaiveRequest): void
}

/** Replicas behind a round-robin router, naively: looks at everything at every event. */
export class NaiveFleet {
  readonly engines: NaiveEngine[] = []
  readonly requests: NaiveRequest[] = []
  #source: RequestSource
  #observer: Observer
  #now = 0n
  #turn = 0
  #composing = false
  #timers: { time: bigint; kind: number; request: NaiveRequest }[] = []

  constructor(
    source: RequestSource,
    replicas: number,
    observer: Observer,
    create: (around: NaiveSurroundings) => NaiveEngine,
  ) {
    this.#source = source
    this.#observer = observer
    for (let replica = 0; replica < replicas; replica++) {
      this.engines.push(
        create({
          replica,
          observer,
          tree: source.tree,
          now: () => this.#now,
          finished: (request) => {
            if (request.phase === 'gone') throw new Error(`request ${request.id} ends twice`)
            request.phase = 'gone'
            if (!request.clientLeft) this.#tell(request, 'completed', '')
          },
        }),
      )
    }
  }

  run(maxEvents = 100_000): void {
    for (let handled = 0; ; handled++) {
      if (handled > maxEvents) throw new Error('the reference does not end')
      const events = this.engines.flatMap((engine) => engine.events())
      const timers = [...this.#timers].sort((a, b) => (a.time === b.time ? a.kind - b.kind : a.time < b.time ? -1 : 1))
      if (timers[0] !== undefined)
        events.push({ time: timers[0].time, order: 2, run: () => this.#ring(timers[0]!.request, timers[0]!) })
      const time = { seconds: 0, ticks: 0 }
      if (this.#source.peek(time)) events.push({ time: ticksOf(time), order: 3, run: () => this.#arrive() })
      if (events.length === 0) return
      events.sort((a, b) => (a.time === b.time ? a.order - b.order : a.time < b.time ? -1 : 1))
      if (events[0]!.time < this.#now) throw new Error('the clock goes back')
      this.#now = events[0]!.time
      this.#composing = events[0]!.order === 4
      events[0]!.run()
    }
  }

  #arrive(): void {
    const draft = emptyDraft()
    this.#source.take(draft)
    const request = new NaiveRequest(this.requests.length, draft)
    this.requests.push(request)
    const now = seconds(this.#now)
    this.#observer.arrived(request.id, now, request.input, request.output, draft.serviceClass, draft.tenant)
    for (const [kind, after] of [draft.cancelAfterSeconds, draft.timeoutSeconds].entries()) {
      if (after === Number.POSITIVE_INFINITY) continue
      this.#timers.push({ time: ticksOf(addSeconds(timeOf(this.#now), after)), kind, request })
    }
    request.replica = this.#turn++ % this.engines.length
    this.#observer.routed(request.id, now, request.replica)
    const engine = this.engines[request.replica]!
    if (engine.refuses(request)) {
      request.phase = 'gone'
      this.#tell(request, 'rejected', '')
      return
    }
    engine.enqueue(request, this.#now)
  }

  #ring(request: NaiveRequest, timer: { kind: number }): void {
    this.#timers.splice(this.#timers.indexOf(timer as never), 1)
    if (request.phase === 'gone' || request.clientLeft) return
    this.#tell(request, timer.kind === 0 ? 'cancelled' : 'timedOut', '')
    request.clientLeft = true
    this.engines[request.replica]!.abandon(request, this.#now)
  }

  #tell(request: NaiveRequest, ending: Ending, reason: string): void {
    this.#observer.ended(request.id, seconds(this.#now), ending, request.emitted, reason)
    this.#source.ended(request.draft.tag, ending, timeOf(this.#now + (this.#composing ? 1n : 0n)))
  }
}
