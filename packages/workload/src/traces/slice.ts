import { copyTime, RandomStream, SECONDS_PER_TICK, zeroTime } from '@windtunnel/des'
import type { TraceRow } from './row.ts'

/** Which rows of a trace to keep. Seconds count from its first row. */
export interface SliceOptions {
  readonly fromSeconds?: number
  /** Exclusive. */
  readonly untilSeconds?: number
  readonly maximumRows?: number
  /** Share of rows kept at random (whole sessions together), with the seed that chooses them. */
  readonly keepShare?: number
  readonly seed?: number
}

/** Cuts a part out of a trace, row by row. Rows that wait for others are kept when the first of their session is. */
export class TraceSlice {
  private readonly options: SliceOptions
  private readonly random: RandomStream
  private readonly origin = zeroTime()
  private readonly sessions = new Map<number, boolean>()
  private started = false
  private kept = 0

  constructor(options: SliceOptions) {
    this.options = options
    this.random = new RandomStream(options.seed ?? 1, 'trace/slice')
  }

  /** Whether no later row can be kept. */
  get finished(): boolean {
    return this.kept >= (this.options.maximumRows ?? Number.POSITIVE_INFINITY)
  }

  keeps(row: TraceRow): boolean {
    if (this.finished) return false
    const keep =
      row.afterSeconds === undefined
        ? this.inTime(row) && this.drawn(row.session)
        : this.sessions.get(row.session) === true
    if (row.session > 0 && row.afterSeconds === undefined && row.continues) this.sessions.set(row.session, keep)
    if (keep) this.kept++
    return keep
  }

  private inTime(row: TraceRow): boolean {
    const { fromSeconds = 0, untilSeconds = Number.POSITIVE_INFINITY } = this.options
    if (!row.hasTime) return true
    if (!this.started) copyTime(this.origin, row.time)
    this.started = true
    const seconds = row.time.seconds - this.origin.seconds + (row.time.ticks - this.origin.ticks) * SECONDS_PER_TICK
    return seconds >= fromSeconds && seconds < untilSeconds
  }

  private drawn(session: number): boolean {
    const share = this.options.keepShare ?? 1
    if (share >= 1) return true
    const known = session > 0 ? this.sessions.get(session) : undefined
    const keep = known ?? this.random.uniform() < share
    if (session > 0) this.sessions.set(session, keep)
    return keep
  }
}
