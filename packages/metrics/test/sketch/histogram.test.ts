import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SECONDS_PER_TICK as DES_TICK, TICKS_PER_SECOND as DES_TICKS } from '../../../des/src/time.ts'
import { Histogram } from '../../src/sketch/histogram.ts'
import { SECONDS_PER_TICK, TICKS_PER_SECOND } from '../../src/ticks.ts'

const everything = (histogram: Histogram): unknown => {
  const buckets: [number, number][] = []
  histogram.forEachBucket((upper, count) => buckets.push([upper, count]))
  return {
    buckets,
    count: histogram.count,
    sum: histogram.sumSeconds,
    least: histogram.leastSeconds,
    largest: histogram.largestSeconds,
    quantiles: [0, 0.1, 0.5, 0.9, 0.99, 1].map((q) => histogram.quantileSeconds(q)),
  }
}

/** NumPy's linear percentile of exact values. */
const exactQuantile = (sorted: number[], quantile: number): number => {
  const position = quantile * (sorted.length - 1)
  const below = sorted[Math.floor(position)]!
  const above = sorted[Math.ceil(position)]!
  return (below + (above - below) * (position - Math.floor(position))) * SECONDS_PER_TICK
}

const ticks = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 30 }),
  fc.maxSafeInteger().map((n) => Math.abs(n) % 2 ** 50),
)

describe('the histogram of durations', () => {
  it('counts in the ticks of virtual time', () => {
    expect(TICKS_PER_SECOND).toBe(DES_TICKS)
    expect(SECONDS_PER_TICK).toBe(DES_TICK)
  })

  it('an empty one has no mean and no percentile', () => {
    const histogram = new Histogram()
    expect(histogram.count).toBe(0)
    expect(histogram.meanSeconds).toBeUndefined()
    expect(histogram.quantileSeconds(0.5)).toBeUndefined()
    expect(histogram.shareAtMost(1)).toBeUndefined()
  })

  it('the median of 1 s and 3 s is 2 s to 0.1 %, and mean, least and largest are exact', () => {
    const histogram = new Histogram()
    histogram.record(TICKS_PER_SECOND)
    histogram.record(3 * TICKS_PER_SECOND)
    expect(histogram.quantileSeconds(0.5)).toBe(2)
    expect(histogram.meanSeconds).toBe(2)
    expect(histogram.leastSeconds).toBe(1)
    expect(histogram.largestSeconds).toBe(3)
    expect(histogram.shareAtMost(2)).toBe(0.5)
  })

  it('every percentile is within 0.1 % of the exact one', () => {
    fc.assert(
      fc.property(
        fc.array(ticks, { minLength: 1, maxLength: 300 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, q) => {
          const histogram = new Histogram()
          for (const value of values) histogram.record(value)
          const exact = exactQuantile(
            values.sort((a, b) => a - b),
            q,
          )
          expect(Math.abs(histogram.quantileSeconds(q)! - exact)).toBeLessThanOrEqual(exact * 0.001)
        },
      ),
    )
  })

  it('durations recorded singly and read at any moment give what recording each with its weight gives', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(ticks, fc.nat({ max: 90 })), { maxLength: 12 }), (entries) => {
        const weighted = new Histogram()
        const single = new Histogram()
        for (const [value, weight] of entries) {
          if (weight > 0) weighted.recordTimes(value, weight)
          for (let time = 0; time < weight; time++) single.record(value)
          expect(single.count).toBe(weighted.count)
          expect(single.sumSeconds).toBe(weighted.sumSeconds)
        }
        expect(everything(single)).toEqual(everything(weighted))
      }),
    )
  })

  it('a part of a tick is rounded', () => {
    const parts = new Histogram()
    const whole = new Histogram()
    for (const value of [0.4, 0.5, 0.9, 1.2, 7.5]) {
      parts.record(value)
      whole.record(Math.round(value))
    }
    expect(everything(parts)).toEqual(everything(whole))
  })

  it('merging parts in any order gives, bit for bit, what recording all in one gives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(ticks, fc.integer({ min: 1, max: 4000 }), fc.boolean()), { maxLength: 60 }),
        (entries) => {
          const whole = new Histogram()
          const left = new Histogram()
          const right = new Histogram()
          for (const [value, weight] of entries) whole.recordTimes(value, weight)
          for (const [value, weight, first] of [...entries].reverse()) (first ? left : right).recordTimes(value, weight)
          right.merge(left)
          expect(everything(right)).toEqual(everything(whole))
        },
      ),
    )
  })

  it('a run recorded in closed form equals, bit for bit, its steps recorded one by one', () => {
    const run = fc.record({
      first: fc.integer({ min: 0, max: 2 ** 42 }),
      growth: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 2 ** 28 })),
      steps: fc.integer({ min: 1, max: 1500 }),
      sequences: fc.integer({ min: 1, max: 512 }),
    })
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 4 }), (runs) => {
        const closed = new Histogram()
        const single = new Histogram()
        for (const { first, growth, steps, sequences } of runs) {
          closed.recordRun(first, growth, steps, sequences)
          for (let step = 0; step < steps; step++) single.recordTimes(first + step * growth, sequences)
        }
        expect(everything(closed)).toEqual(everything(single))
      }),
    )
  })

  it('a run that starts or ends exactly on a bucket edge is counted on the right side of it', () => {
    const edge = 2 ** 30
    const width = 2 ** 21 // 512 buckets an octave
    for (const growth of [width / 8, width / 16, width / 64, width / 128 + 1]) {
      for (const offset of [-1, 0, 1]) {
        const closed = new Histogram()
        const single = new Histogram()
        const first = edge - 40 * growth + offset
        closed.recordRun(first, growth, 81, 3)
        for (let step = 0; step < 81; step++) single.recordTimes(first + step * growth, 3)
        expect(everything(closed)).toEqual(everything(single))
      }
    }
  })

  it('a duration below zero is refused', () => {
    expect(() => new Histogram().record(-1)).toThrow('found -1')
    expect(() => new Histogram().record(Number.NaN)).toThrow('found NaN')
  })

  it('cleared, it is as new', () => {
    const histogram = new Histogram()
    histogram.record(5)
    histogram.recordTimes(5, 3)
    histogram.clear()
    expect(everything(histogram)).toEqual(everything(new Histogram()))
  })
})
