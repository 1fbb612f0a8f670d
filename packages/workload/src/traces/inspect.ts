import { copyTime, SECONDS_PER_TICK, zeroTime } from '@windtunnel/des'
import { LengthCounts, type LengthSummary } from './lengthCounts.ts'
import { PrefixReuse, type ReuseSummary } from './prefixReuse.ts'
import type { TraceRow } from './row.ts'

/** What a trace holds. Times in seconds, lengths in tokens; undefined where there is nothing to say. */
export interface TraceSummary {
  readonly rows: number
  /** Rows with a time of their own; the figures of time are about these. */
  readonly timedRows: number
  readonly spanSeconds: number | undefined
  /** Requests in a second: gaps over span. */
  readonly requestsPerSecond: number | undefined
  /** Standard deviation (n) of the gaps over their mean. */
  readonly interarrivalCv: number | undefined
  readonly longestGapSeconds: number | undefined
  /** Different instants at which requests arrive. */
  readonly instants: number
  readonly input: LengthSummary
  readonly output: LengthSummary
  readonly sessions: number
  readonly prefix: ReuseSummary | undefined
}

/**
 * Statistics of a trace, one row at a time. Memory grows with the number of different lengths, sessions and shared blocks, not
 * with rows.
 */
export class TraceInspector {
  private rows = 0
  private timed = 0
  private readonly origin = zeroTime()
  private last = 0
  private instants = 0
  private gapSquares = 0
  private longest = 0
  private readonly input = new LengthCounts()
  private readonly output = new LengthCounts()
  private readonly sessions = new Set<number>()
  private readonly reuse = new PrefixReuse()

  add(row: TraceRow): void {
    this.rows++
    this.input.add(row.inputTokens)
    this.output.add(row.outputTokens)
    if (row.session > 0) this.sessions.add(row.session)
    this.reuse.add(row)
    if (!row.hasTime) return
    if (this.timed === 0) copyTime(this.origin, row.time)
    // Relative to the first, so that dates keep their fractions of a second.
    const seconds = row.time.seconds - this.origin.seconds
    this.addTime(seconds + (row.time.ticks - this.origin.ticks) * SECONDS_PER_TICK)
  }

  summary(): TraceSummary {
    const gaps = this.timed - 1
    const span = this.last
    const mean = span / gaps
    const variance = Math.max(0, this.gapSquares / gaps - mean * mean)
    return {
      rows: this.rows,
      timedRows: this.timed,
      spanSeconds: this.timed > 0 ? span : undefined,
      requestsPerSecond: gaps > 0 && span > 0 ? gaps / span : undefined,
      interarrivalCv: gaps > 0 && span > 0 ? Math.sqrt(variance) / mean : undefined,
      longestGapSeconds: gaps > 0 ? this.longest : undefined,
      instants: this.instants,
      input: this.input.summary(),
      output: this.output.summary(),
      sessions: this.sessions.size,
      prefix: this.reuse.summary(),
    }
  }

  private addTime(time: number): void {
    const gap = this.timed === 0 ? 0 : time - this.last
    if (this.timed === 0 || gap !== 0) this.instants++
    this.timed++
    this.last = time
    this.gapSquares += gap * gap
    if (gap > this.longest) this.longest = gap
  }
}
