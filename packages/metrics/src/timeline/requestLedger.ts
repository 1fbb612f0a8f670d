import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '../facts/ending.ts'
import { LiveSlots } from './liveSlots.ts'
import type { RequestTimeline } from './requestTimeline.ts'
import {
  ADMITTED,
  ARRIVAL,
  CACHED,
  CLASS,
  FIELDS,
  FIRST_TOKEN,
  INPUT,
  PREEMPTIONS,
  REPLICA,
  TENANT,
  TimelineColumns,
  TRANSFER_STARTED,
  TRANSFERRED,
} from './timelineColumns.ts'

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

/**
 * Keeps the timelines of the requests that are live and hands each to its readers when it ends. Memory follows the
 * requests live at once; nothing is allocated per fact.
 */
export class RequestLedger extends SilentObserver {
  private readonly slots = new LiveSlots()
  private readonly readers: LedgerReader[]
  private readonly timeline = new TimelineColumns()

  constructor(readers: LedgerReader[]) {
    super()
    this.readers = readers
  }

  /** Requests that have arrived and not ended. */
  get live(): number {
    return this.slots.live
  }

  override arrived(
    request: number,
    time: number,
    inputTokens: number,
    _outputTokens: number,
    serviceClass: number,
    tenant: number,
  ): void {
    const at = this.timeline.cover(this.slots.open(request))
    const columns = this.timeline.rows
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
    const slot = this.slots.find(request)
    if (slot === undefined) return
    const at = slot * FIELDS
    const columns = this.timeline.rows
    columns[at + REPLICA] = replica
    if (!Number.isNaN(columns[at + ADMITTED]!)) return
    columns[at + ADMITTED] = time
    columns[at + CACHED] = cachedTokens
    const queue = time - columns[at + ARRIVAL]!
    for (const reader of this.readers) reader.admitted(time, queue, columns[at + CLASS]!)
  }

  override firstToken(request: number, time: number): void {
    const slot = this.slots.find(request)
    if (slot === undefined) return
    const at = slot * FIELDS
    const columns = this.timeline.rows
    if (!Number.isNaN(columns[at + FIRST_TOKEN]!)) return
    columns[at + FIRST_TOKEN] = time
    const ttft = time - columns[at + ARRIVAL]!
    for (const reader of this.readers) reader.firstToken(time, ttft, columns[at + INPUT]!, columns[at + CLASS]!)
  }

  override preempted(request: number): void {
    const slot = this.slots.find(request)
    if (slot !== undefined) this.timeline.rows[slot * FIELDS + PREEMPTIONS]! += 1
  }

  override transferStarted(request: number, time: number): void {
    const slot = this.slots.find(request)
    if (slot === undefined) return
    const at = slot * FIELDS + TRANSFER_STARTED
    if (Number.isNaN(this.timeline.rows[at]!)) this.timeline.rows[at] = time
  }

  override transferred(request: number, time: number, _from: number, to: number): void {
    const slot = this.slots.find(request)
    if (slot === undefined) return
    this.timeline.rows[slot * FIELDS + TRANSFERRED] = time
    this.timeline.rows[slot * FIELDS + REPLICA] = to
  }

  override ended(request: number, time: number, ending: Ending, outputTokens: number): void {
    const slot = this.slots.find(request)
    if (slot === undefined) return
    const timeline = this.timeline
    timeline.at = slot * FIELDS
    timeline.request = request
    timeline.ended = time
    timeline.ending = ending
    timeline.outputTokens = outputTokens
    for (const reader of this.readers) reader.ended(timeline)
    this.slots.close(request)
  }
}
