import type { RateCurve } from './arrivalProcess.ts'

export class ConstantRate implements RateCurve {
  meanRate: number
  constructor(requestsPerSecond: number) {
    this.meanRate = requestsPerSecond
  }
  wait(_now: number, work: number): number {
    return work / this.meanRate
  }
  scale(factor: number): void {
    this.meanRate *= factor
  }
}

/** A stretch of time in which the rate goes in a straight line from `from` to `to` (requests per second). */
export interface RateSegment {
  readonly seconds: number
  readonly from: number
  readonly to: number
}

/** What a curve does after its last segment: no more arrivals, the last rate for ever, or again from the start. */
export type AfterLast = 'stop' | 'hold' | 'repeat'

/** A rate made of straight lines; the integral is inverted in closed form. */
export class PiecewiseRate implements RateCurve {
  private factor = 1
  private readonly mean: number
  /** Integral of the unscaled rate over all segments. */
  private readonly area: number
  /** Start of each segment in seconds, and the end of the last. */
  private readonly starts: number[] = [0]
  private readonly segments: readonly RateSegment[]
  private readonly after: AfterLast
  private at = 0
  /** Seconds of whole periods before the segment `at`. */
  private base = 0

  constructor(segments: readonly RateSegment[], after: AfterLast) {
    this.segments = segments
    this.after = after
    let area = 0
    for (const { seconds, from, to } of segments) {
      area += (seconds * (from + to)) / 2
      this.starts.push(this.starts.at(-1)! + seconds)
    }
    this.area = area
    this.mean = area / this.starts.at(-1)!
  }

  get meanRate(): number {
    return this.mean * this.factor
  }

  /** Index of the segment in which the last wait ended. */
  get segment(): number {
    return this.at
  }

  scale(factor: number): void {
    this.factor *= factor
  }

  wait(now: number, work: number): number {
    if (now < this.base + this.starts[this.at]!) this.rewind(now)
    let left = work / this.factor
    let time = now
    for (;;) {
      const end = this.base + this.starts[this.at + 1]!
      if (time < end) {
        const { from, to, seconds } = this.segments[this.at]!
        const slope = (to - from) / seconds
        const rate = from + slope * (time - this.base - this.starts[this.at]!)
        const area = ((rate + to) / 2) * (end - time)
        if (left <= area) return time - now + invert(rate, slope, left)
        left -= area
        time = end
      }
      if (this.at + 1 < this.segments.length) this.at++
      else if (this.after === 'repeat' && this.mean > 0) {
        this.at = 0
        this.base += this.starts.at(-1)!
        // Whole periods that are too short for the rest are passed at once.
        const periods = Math.floor(left / this.area)
        this.base += periods * this.starts.at(-1)!
        left -= periods * this.area
        time = this.base
      } else return this.after === 'hold' ? time - now + left / this.segments.at(-1)!.to : Number.POSITIVE_INFINITY
    }
  }

  /** Back to the period of `now`: a change of rate can bring the next arrival forward over an edge. */
  private rewind(now: number): void {
    const period = this.starts.at(-1)!
    this.at = 0
    this.base = this.after === 'repeat' ? Math.floor(now / period) * period : 0
  }
}

/** The t with rate t + slope t^2 / 2 = area, in the form that does not cancel. */
const invert = (rate: number, slope: number, area: number): number =>
  area === 0 ? 0 : (2 * area) / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * slope * area)))

/** A rate that jumps between states: each state lasts for a drawn time, then the next is drawn. */
export class ModulatedRate implements RateCurve {
  private factor = 1
  private state: number
  private until: number
  private readonly rates: readonly number[]
  private readonly durationOf: (state: number) => number
  private readonly after: (state: number) => number
  private readonly mean: number

  constructor(
    rates: readonly number[],
    mean: number,
    durationOf: (state: number) => number,
    after: (state: number) => number,
  ) {
    this.rates = rates
    this.mean = mean
    this.durationOf = durationOf
    this.after = after
    this.state = 0
    this.until = durationOf(0)
  }

  get meanRate(): number {
    return this.mean * this.factor
  }

  scale(factor: number): void {
    this.factor *= factor
  }

  wait(now: number, work: number): number {
    let left = work / this.factor
    let time = now
    for (;;) {
      const rate = this.rates[this.state]!
      if (time < this.until) {
        const area = rate * (this.until - time)
        if (left <= area && rate > 0) return time - now + left / rate
        left -= area
        time = this.until
      }
      this.state = this.after(this.state)
      this.until += this.durationOf(this.state)
    }
  }
}
