import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '../facts/ending.ts'
import { LiveSlots } from './liveSlots.ts'
import { emptyTimeline, type RequestTimeline } from './requestTimeline.ts'

/** Told of what the ledger put together. Extend `SilentReader` and override what you need. */
export interface LedgerReader {
  /** First scheduled: `queueSeconds` after its arrival. */
  admitted(time: number, queueSeconds: number, serviceClass: number): void
  /** The first token: `ttftSeconds` after the arrival. */
  firstToken(time: number, ttftSeconds: number, inputTokens: number, serviceClass: number): void
  /** The one ending. `timeline` is reused: read it, do not keep it. */
  ended(timeline: RequestTimeline): void
}

export class SilentReader implements LedgerReader {
  admitted(_time: number, _queueSeconds: number, _serviceClass: number): void {}
  firstToken(_time: number, _ttftSeconds: number, _inputTokens: number, _serviceClass: number): void {}
  ended(_timeline: RequestTimeline): void {}
}

const FIELDS = 11
const ARRIVAL = 0
const INPUT = 1
const CLASS = 2
const TENANT = 3
const ADMITTED = 4
const CACHED = 5
const FIRST_TOKEN = 6
const TRANSFER_STARTED = 7
const TRANSFERRED = 8
const PREEMPTIONS = 9
const REPLICA = 10

const known = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value)

/**
 * Keeps the timelines of the requests that are live and hands each to its readers when it ends. Memory follows the
 * requests live at once; nothing is allocated per fact.
 */
export class RequestLedger extends SilentObserver {
  readonly #slots = new LiveSlots()
  readonly #readers: LedgerReader[]
  readonly #timeline = emptyTimeline()
  /** FIELDS numbers a slot; NaN stands for a moment that has not come, and never leaves this file. */
  #columns = new Float64Array(FIELDS * 64)

  constructor(readers: LedgerReader[]) {
    super()
    this.#readers = readers
  }

  /** Requests that have arrived and not ended. */
  get live(): number {
    return this.#slots.live
  }

  override arrived(
    request: number,
    time: number,
    inputTokens: number,
    _outputTokens: number,
    serviceClass: number,
    tenant: number,
  ): void {
    const at = this.#slots.open(request) * FIELDS
    if (at + FIELDS > this.#columns.length) this.#widen()
    const columns = this.#columns
    columns[at + ARRIVAL] = time
    columns[at + INPUT] = inputTokens
    columns[at + CLASS] = serviceClass
    columns[at + TENANT] = tenant
    columns[at + ADMITTED] = Number.NaN
    columns[at + CACHED] = 0
    columns[at + FIRST_TOKEN] = Number.NaN
    columns[at + TRANSFER_STARTED] = Number.NaN
    columns[at + TRANSFERRED] = Number.NaN
    columns[at + PREEMPTIONS] = 0
    columns[at + REPLICA] = Number.NaN
  }

  override admitted(request: number, time: number, replica: number, cachedTokens: number): void {
    const slot = this.#slots.find(request)
    if (slot === undefined) return
    const at = slot * FIELDS
    const columns = this.#columns
    columns[at + REPLICA] = replica
    if (!Number.isNaN(columns[at + ADMITTED]!)) return
    columns[at + ADMITTED] = time
    columns[at + CACHED] = cachedTokens
    const queue = time - columns[at + ARRIVAL]!
    for (const reader of this.#readers) reader.admitted(time, queue, columns[at + CLASS]!)
  }

  override firstToken(request: number, time: number): void {
    const slot = this.#slots.find(request)
    if (slot === undefined) return
    const at = slot * FIELDS
    const columns = this.#columns
    if (!Number.isNaN(columns[at + FIRST_TOKEN]!)) return
    columns[at + FIRST_TOKEN] = time
    const ttft = time - columns[at + ARRIVAL]!
    for (const reader of this.#readers) reader.firstToken(time, ttft, columns[at + INPUT]!, columns[at + CLASS]!)
  }

  override preempted(request: number): void {
    const slot = this.#slots.find(request)
    if (slot !== undefined) this.#columns[slot * FIELDS + PREEMPTIONS]! += 1
  }

  override transferStarted(request: number, time: number): void {
    const slot = this.#slots.find(request)
    if (slot === undefined) return
    const at = slot * FIELDS + TRANSFER_STARTED
    if (Number.isNaN(this.#columns[at]!)) this.#columns[at] = time
  }

  override transferred(request: number, time: number, _from: number, to: number): void {
    const slot = this.#slots.find(request)
    if (slot === undefined) return
    this.#columns[slot * FIELDS + TRANSFERRED] = time
    this.#columns[slot * FIELDS + REPLICA] = to
  }

  override ended(request: number, time: number, ending: Ending, outputTokens: number): void {
    const slot = this.#slots.find(request)
    if (slot === undefined) return
    const timeline = this.#read(request, slot)
    timeline.ended = time
    timeline.ending = ending
    timeline.outputTokens = outputTokens
    for (const reader of this.#readers) reader.ended(timeline)
    this.#slots.close(request)
  }

  #read(request: number, slot: number): RequestTimeline {
    const at = slot * FIELDS
    const columns = this.#columns
    const timeline = this.#timeline
    timeline.request = request
    timeline.arrival = columns[at + ARRIVAL]!
    timeline.inputTokens = columns[at + INPUT]!
    timeline.serviceClass = columns[at + CLASS]!
    timeline.tenant = columns[at + TENANT]!
    timeline.cachedTokens = columns[at + CACHED]!
    timeline.preemptions = columns[at + PREEMPTIONS]!
    timeline.admitted = known(columns[at + ADMITTED]!)
    timeline.firstToken = known(columns[at + FIRST_TOKEN]!)
    timeline.transferStarted = known(columns[at + TRANSFER_STARTED]!)
    timeline.transferred = known(columns[at + TRANSFERRED]!)
    timeline.replica = known(columns[at + REPLICA]!)
    return timeline
  }

  #widen(): void {
    const wider = new Float64Array(this.#columns.length * 2)
    wider.set(this.#columns)
    this.#columns = wider
  }
}
