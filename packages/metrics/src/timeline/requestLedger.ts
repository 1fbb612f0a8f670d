import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '../facts/ending.ts'
import { type LedgerReader, oneReader } from './ledgerReader.ts'
import { LiveSlots, NO_SLOT } from './liveSlots.ts'
import {
  ADMITTED,
  ARRIVAL,
  CACHED,
  CLASS,
  FIRST_TOKEN,
  INPUT,
  PREEMPTIONS,
  REPLICA,
  rowOf,
  TENANT,
  TimelineColumns,
  TRANSFER_STARTED,
  TRANSFERRED,
} from './timelineColumns.ts'

/**
 * Keeps the timelines of the requests that are live and hands each to its readers when it ends. Memory follows the
 * requests live at once; nothing is allocated per fact.
 */
export class RequestLedger extends SilentObserver {
  private readonly slots = new LiveSlots()
  private readonly reader: LedgerReader
  private readonly timeline = new TimelineColumns()

  constructor(readers: readonly LedgerReader[]) {
    super()
    this.reader = oneReader(readers)
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
    columns[at + FIRST_TOKEN] = Number.NaN
    columns[at + TRANSFER_STARTED] = Number.NaN
    columns[at + TRANSFERRED] = Number.NaN
    columns[at + PREEMPTIONS] = 0
  }

  override admitted(request: number, time: number, replica: number, cachedTokens: number): void {
    const slot = this.slots.find(request)
    if (slot === NO_SLOT) return
    const at = rowOf(slot)
    const columns = this.timeline.rows
    columns[at + REPLICA] = replica
    if (!Number.isNaN(columns[at + ADMITTED]!)) return
    columns[at + ADMITTED] = time
    columns[at + CACHED] = cachedTokens
    this.reader.admitted(time, time - columns[at + ARRIVAL]!, columns[at + CLASS]!)
  }

  override firstToken(request: number, time: number): void {
    const slot = this.slots.find(request)
    if (slot === NO_SLOT) return
    const at = rowOf(slot)
    const columns = this.timeline.rows
    if (!Number.isNaN(columns[at + FIRST_TOKEN]!)) return
    columns[at + FIRST_TOKEN] = time
    this.reader.firstToken(time, time - columns[at + ARRIVAL]!, columns[at + INPUT]!, columns[at + CLASS]!)
  }

  override preempted(request: number): void {
    const slot = this.slots.find(request)
    if (slot !== NO_SLOT) this.timeline.rows[rowOf(slot) + PREEMPTIONS]! += 1
  }

  override transferStarted(request: number, time: number): void {
    const slot = this.slots.find(request)
    if (slot === NO_SLOT) return
    const at = rowOf(slot) + TRANSFER_STARTED
    if (Number.isNaN(this.timeline.rows[at]!)) this.timeline.rows[at] = time
  }

  override transferred(request: number, time: number, _from: number, to: number): void {
    const slot = this.slots.find(request)
    if (slot === NO_SLOT) return
    this.timeline.rows[rowOf(slot) + TRANSFERRED] = time
    this.timeline.rows[rowOf(slot) + REPLICA] = to
  }

  override ended(request: number, time: number, ending: Ending, outputTokens: number): void {
    const slot = this.slots.close(request)
    if (slot === NO_SLOT) return
    // The row stays as it is until the next request arrives.
    const timeline = this.timeline
    timeline.at = rowOf(slot)
    timeline.request = request
    timeline.ended = time
    timeline.ending = ending
    timeline.outputTokens = outputTokens
    this.reader.ended(timeline)
  }
}
