/**
 * Virtual time as exact integers.
 *
 * A tick is 2^-44 s (about 57 femtoseconds), fine enough for the cost of one more token of context (about 4e-11 s).
 * An absolute time is a pair: whole seconds, and ticks below one second. A duration is a plain number of ticks, exact
 * below 2^53 ticks (512 s). Because everything is an integer, sums are the same in any order, and a run of steps may be
 * split anywhere without changing a bit.
 */
export const TICKS_PER_SECOND = 17_592_186_044_416

/** Seconds in one tick. A power of two: multiplying by it never rounds a number of ticks below 2^53. */
export const SECONDS_PER_TICK = 1 / TICKS_PER_SECOND

/** Durations at or above this many ticks (512 s) are not exact in one number: split them. */
export const MAX_EXACT_TICKS = 512 * TICKS_PER_SECOND

/** An absolute time: `seconds` a whole number, `0 <= ticks < TICKS_PER_SECOND`. Mutable so that hot paths reuse it. */
export interface Time {
  seconds: number
  ticks: number
}

export const zeroTime = (): Time => ({ seconds: 0, ticks: 0 })

/** Writes `seconds` (any finite number >= 0) into `into`, rounded once to the nearest tick. */
export const setSeconds = (into: Time, seconds: number): Time => {
  const whole = Math.floor(seconds)
  into.seconds = whole
  into.ticks = Math.round((seconds - whole) * TICKS_PER_SECOND)
  if (into.ticks >= TICKS_PER_SECOND) {
    into.seconds += 1
    into.ticks = 0
  }
  return into
}

export const timeFromSeconds = (seconds: number): Time => setSeconds({ seconds: 0, ticks: 0 }, seconds)

export const copyTime = (into: Time, from: Time): Time => {
  into.seconds = from.seconds
  into.ticks = from.ticks
  return into
}

/** Adds a duration in ticks (0 <= duration < 2^53 - 2^44) to `time`, in place and exactly. */
export const addTicks = (time: Time, duration: number): Time => {
  const sum = time.ticks + duration
  if (sum < TICKS_PER_SECOND) {
    time.ticks = sum
    return time
  }
  const carry = Math.floor(sum * SECONDS_PER_TICK)
  time.seconds += carry
  time.ticks = sum - carry * TICKS_PER_SECOND
  return time
}

/** `a - b` in ticks; exact while the difference is below 512 s, and the nearest double beyond. */
export const ticksBetween = (a: Time, b: Time): number =>
  (a.seconds - b.seconds) * TICKS_PER_SECOND + (a.ticks - b.ticks)

/** Negative when `a` is earlier than `b`, zero when equal, positive when later. */
export const compareTime = (a: Time, b: Time): number => a.seconds - b.seconds || a.ticks - b.ticks

/** The nearest double in seconds: exact below 512 s, one rounding beyond. The same bits on every platform. */
export const toSeconds = (time: Time): number => time.seconds + time.ticks * SECONDS_PER_TICK

/** A duration in seconds as ticks, rounded once. Quantise a duration where it enters, never twice. */
export const ticksFromSeconds = (seconds: number): number => Math.round(seconds * TICKS_PER_SECOND)
