import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSeconds } from '../src/duration.ts'
import {
  addTicks,
  compareTime,
  copyTime,
  setSeconds,
  TICKS_PER_SECOND,
  ticksBetween,
  ticksFromSeconds,
  timeFromSeconds,
  toSeconds,
  zeroTime,
} from '../src/time.ts'

const TICKS = 17592186044416n
const duration = fc.maxSafeInteger().map((n) => Math.abs(n) % (2 ** 53 - 2 ** 44))
const total = (t: { seconds: number; ticks: number }): bigint => BigInt(t.seconds) * TICKS + BigInt(t.ticks)

describe('virtual time', () => {
  it('adds durations exactly, in any order', () => {
    fc.assert(
      fc.property(fc.array(duration, { maxLength: 50 }), (durations) => {
        const forward = zeroTime()
        const backward = zeroTime()
        for (const d of durations) addTicks(forward, d)
        for (const d of durations.toReversed()) addTicks(backward, d)
        expect(forward).toEqual(backward)
        expect(total(forward)).toBe(durations.reduce((sum, d) => sum + BigInt(d), 0n))
        expect(forward.ticks < TICKS_PER_SECOND).toBe(true)
      }),
    )
  })
  it('takes seconds to the nearest tick, carrying a full second', () => {
    expect(timeFromSeconds(1.5)).toEqual({ seconds: 1, ticks: 2 ** 43 })
    expect(timeFromSeconds(1 - 2 ** -53)).toEqual({ seconds: 1, ticks: 0 })
    expect(setSeconds({ seconds: 9, ticks: 9 }, 0)).toEqual({ seconds: 0, ticks: 0 })
    expect(ticksFromSeconds(2 ** -44)).toBe(1)
  })
  it('compares and subtracts', () => {
    const a = { seconds: 2, ticks: 5 }
    const b = { seconds: 1, ticks: 7 }
    expect(compareTime(a, b)).toBeGreaterThan(0)
    expect(compareTime(b, a)).toBeLessThan(0)
    expect(compareTime(a, copyTime(zeroTime(), a))).toBe(0)
    expect(ticksBetween(a, b)).toBe(TICKS_PER_SECOND - 2)
    expect(toSeconds({ seconds: 3, ticks: 2 ** 42 })).toBe(3.25)
  })
  it('adds seconds of any length', () => {
    expect(addSeconds({ seconds: 1, ticks: 2 ** 43 }, 1000.75)).toEqual({ seconds: 1002, ticks: 2 ** 42 })
    expect(addSeconds(zeroTime(), 0)).toEqual(zeroTime())
  })
})
