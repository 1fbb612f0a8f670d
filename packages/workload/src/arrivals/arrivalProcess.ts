import type { Time } from '@windtunnel/des'

/** When new pieces of work (a request, a conversation, an agent's task) begin. */
export interface ArrivalProcess {
  /** Mean arrivals in a second over a long time; undefined where there is none (closed loops, all at once). */
  readonly meanRate: number | undefined
  /** Writes the earliest beginning known now into `into`; false when none is known. */
  peek(into: Time): boolean
  /** Moves past the beginning that `peek` told. */
  advance(): void
  /** New mean rate from virtual time `now` on: the wait for the next arrival shrinks or grows with it. Throws CannotSteer. */
  setRate(requestsPerSecond: number, now: Time): void
  /** A piece of work that began here is over at `time`: a closed loop begins another. Absent where that changes nothing. */
  released?(time: Time): void
}

/** Distances between arrivals with mean 1. */
export interface Spacing {
  next(): number
}

/** A rate that may change with time. */
export interface RateCurve {
  /** Mean requests per second over a long time. */
  readonly meanRate: number
  /** Seconds from `now` (seconds, never going back) until the integral of the rate has grown by `work` requests; Infinity when it never does. */
  wait(now: number, work: number): number
  /** Multiplies the rate from now on. */
  scale(factor: number): void
}
