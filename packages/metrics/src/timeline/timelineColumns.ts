import type { Ending } from '../facts/ending.ts'
import { DOUBLE_ZERO } from '../sketch/doubleZero.ts'
import type { RequestTimeline } from './requestTimeline.ts'

/** Numbers kept of every live request: where each stands in its row. */
export const ARRIVAL = 0
export const INPUT = 1
export const CLASS = 2
export const TENANT = 3
export const ADMITTED = 4
/** Written when it is admitted, and not before. */
export const CACHED = 5
export const FIRST_TOKEN = 6
export const TRANSFER_STARTED = 7
export const TRANSFERRED = 8
export const PREEMPTIONS = 9
/** Written when it is admitted or transferred, and not before. */
export const REPLICA = 10

const FIELDS = 11

/** From 8 MiB (so many numbers) on, rows grow by more: memory that is never written costs nothing, and what is copied does. */
const LARGE_ROWS = 1_048_576

/** Where the row of `slot` begins; no larger than this mask, which the compiler sees: it need not check for an overflow. */
export const rowOf = (slot: number): number => (slot * FIELDS) & 0x3fff_ffff

/** Moments and places that are not there yet; NaN never leaves this file and the ledger. */
const orUndefined = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value)

/**
 * The timelines of live requests as rows of numbers, read through one cursor: what nobody asks for is not read, and nothing
 * is allocated.
 */
export class TimelineColumns implements RequestTimeline {
  /** FIELDS numbers a request. */
  rows = new Float64Array(FIELDS * 64)
  /** Where the row under the cursor begins. */
  at = 0
  request = DOUBLE_ZERO
  outputTokens = 0
  ended = DOUBLE_ZERO
  ending: Ending = 'completed'

  /** Makes room for the row of `slot`; returns where it begins. */
  cover(slot: number): number {
    const at = rowOf(slot)
    if (at + FIELDS > this.rows.length) {
      const wider = new Float64Array(this.rows.length * (this.rows.length < LARGE_ROWS ? 2 : 8))
      wider.set(this.rows)
      this.rows = wider
    }
    return at
  }

  get arrival(): number {
    return this.rows[this.at + ARRIVAL]!
  }

  get inputTokens(): number {
    return this.rows[this.at + INPUT]!
  }

  get serviceClass(): number {
    return this.rows[this.at + CLASS]!
  }

  get tenant(): number {
    return this.rows[this.at + TENANT]!
  }

  get cachedTokens(): number {
    return Number.isNaN(this.rows[this.at + ADMITTED]!) ? 0 : this.rows[this.at + CACHED]!
  }

  get preemptions(): number {
    return this.rows[this.at + PREEMPTIONS]!
  }

  get admitted(): number | undefined {
    return orUndefined(this.rows[this.at + ADMITTED]!)
  }

  get firstToken(): number | undefined {
    return orUndefined(this.rows[this.at + FIRST_TOKEN]!)
  }

  get transferStarted(): number | undefined {
    return orUndefined(this.rows[this.at + TRANSFER_STARTED]!)
  }

  get transferred(): number | undefined {
    return orUndefined(this.rows[this.at + TRANSFERRED]!)
  }

  get replica(): number | undefined {
    const { admitted, transferred } = this
    return admitted === undefined && transferred === undefined ? undefined : this.rows[this.at + REPLICA]!
  }
}
