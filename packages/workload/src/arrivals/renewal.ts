import { addSeconds, copyTime, type Time, toSeconds, zeroTime } from '@windtunnel/des'
import type { ArrivalProcess, RateCurve, Spacing } from './arrivalProcess.ts'

/**
 * Open arrivals: independent distances of mean 1 (`spacing`) laid along the integral of a rate (`curve`). Every time is
 * drawn once and rounded once to a tick.
 */
export class RenewalArrivals implements ArrivalProcess {
  private readonly next: Time = zeroTime()
  private pending = true
  /** Requests of integral still to come before the next arrival, while the rate is 0. */
  private heldBack = 0
  private rate: number
  private readonly spacing: Spacing
  private readonly curve: RateCurve

  /** `first` is the integral before the first arrival; without it, one draw of `spacing`. */
  constructor(spacing: Spacing, curve: RateCurve, first: number = spacing.next()) {
    this.spacing = spacing
    this.curve = curve
    this.rate = curve.meanRate
    this.place(first)
  }

  get meanRate(): number {
    return this.rate
  }

  peek(into: Time): boolean {
    if (!this.pending) return false
    into.seconds = this.next.seconds
    into.ticks = this.next.ticks
    return true
  }

  advance(): void {
    this.place(this.spacing.next())
  }

  setRate(requestsPerSecond: number, now: Time): void {
    const before = this.rate
    this.rate = requestsPerSecond
    if (!this.pending && before > 0) return
    const remaining = before > 0 ? (toSeconds(this.next) - toSeconds(now)) * before : this.heldBack
    if (requestsPerSecond === 0) {
      this.heldBack = remaining
      this.pending = false
      return
    }
    this.curve.scale(requestsPerSecond / this.curve.meanRate)
    this.pending = true
    addSeconds(copyTime(this.next, now), Math.max(0, remaining) / requestsPerSecond)
  }

  private place(work: number): void {
    const wait = this.curve.wait(toSeconds(this.next), work)
    if (wait === Number.POSITIVE_INFINITY) this.pending = false
    else addSeconds(this.next, wait)
  }
}
