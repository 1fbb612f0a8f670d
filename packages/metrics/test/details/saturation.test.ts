import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BacklogSeries } from '../../src/details/backlogSeries.ts'
import { jainIndex } from '../../src/details/jain.ts'
import { judgeSaturation } from '../../src/details/saturation.ts'

/** `arrivals(second)` requests come in each of 100 s and `served` a second are admitted; each stays `stay` s. */
function judged(arrivals: (second: number) => number, served: number, stay = 1, timedOut = 0) {
  const series = new BacklogSeries()
  let arrived = 0
  let waiting = 0
  for (let second = 0; second < 100; second++) {
    const come = arrivals(second)
    for (let one = 0; one < come; one++) series.arrived(second)
    arrived += come
    waiting += come
    const go = Math.min(waiting, served)
    for (let one = 0; one < go; one++) {
      series.dequeued(second + 0.5)
      series.ended(second + stay)
    }
    waiting -= go
  }
  return judgeSaturation({
    points: series.points(),
    bucketSeconds: series.bucketSeconds,
    arrived,
    timedOut,
    meanE2eSeconds: stay,
  })
}

describe('saturation', () => {
  it('is stable when as many leave as come', () => {
    expect(judged(() => 10, 10).state).toBe('stable')
    expect(
      judgeSaturation({ points: [], bucketSeconds: 1, arrived: 0, timedOut: 0, meanE2eSeconds: undefined }),
    ).toEqual({ state: 'stable', reason: 'nothing arrived' })
  })

  it('is overloaded when 20 a second come and 10 are admitted, and says by how much', () => {
    const { state, reason } = judged(() => 20, 10)
    expect(state).toBe('overloaded')
    // 50 s of the second half: about 1,000 come, 500 leave; of all 2,000, 1,000 are left at the end.
    expect(reason).toMatch(
      /^of 1000 .* more came than left; 10\d\d were waiting for admission at its end, 10\.?\d* more/,
    )
  })

  it('is overloaded when requests are admitted and pile up on their way to the generate side', () => {
    const series = new BacklogSeries()
    // 10 a second come and are admitted at once; 4 a second of them get through.
    for (let at = 0; at < 1000; at++) {
      series.arrived(at / 10)
      series.dequeued(at / 10)
      series.waitsAgain(at / 10)
    }
    for (let at = 0; at < 400; at++) series.dequeued(at / 4)
    const load = { points: series.points(), bucketSeconds: series.bucketSeconds, arrived: 1000, timedOut: 0 }
    const { state, reason } = judgeSaturation({ ...load, meanE2eSeconds: undefined, transfers: true })
    expect(state).toBe('overloaded')
    // Of 1,000, 600 are under way at the end.
    expect(reason).toContain('; 600 were waiting for admission or transfer at its end, ')
  })

  it('is backlogged when a burst waits and the queue drains again', () => {
    const { state, reason } = judged((second) => (second === 20 ? 400 : 5), 20)
    expect(state).toBe('backlogged')
    expect(reason).toMatch(/^\d+ requests waited for admission at 20\.\d* s/)
  })

  it('is overloaded when requests are admitted and pile up inside', () => {
    const series = new BacklogSeries()
    for (let at = 0; at < 1000; at++) {
      series.arrived(at / 10)
      series.dequeued(at / 10)
      if (at % 2 === 0) series.ended(at / 10 + 1)
    }
    const load = { points: series.points(), bucketSeconds: series.bucketSeconds, arrived: 1000, timedOut: 0 }
    expect(judgeSaturation({ ...load, meanE2eSeconds: 1 })).toMatchObject({ state: 'overloaded' })
    // With requests of a minute, the run is too short to tell a start from a pile.
    expect(judgeSaturation({ ...load, meanE2eSeconds: 60 })).toMatchObject({ state: 'stable' })
  })

  it('is overloaded when more than 5 % time out, and backlogged when all come at once', () => {
    expect(judged(() => 10, 10, 1, 60)).toEqual({ state: 'overloaded', reason: '60 of 1000 requests timed out' })
    const series = new BacklogSeries()
    for (let one = 0; one < 50; one++) series.arrived(0)
    const load = { points: series.points(), bucketSeconds: series.bucketSeconds, arrived: 50, timedOut: 0 }
    expect(judgeSaturation({ ...load, meanE2eSeconds: 1 }).state).toBe('backlogged')
  })
})

describe('a series of the backlog', () => {
  it('keeps its size and its sums however long the run', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 40 }), (times) => {
        const series = new BacklogSeries()
        for (const time of times) series.arrived(time)
        const points = series.points()
        expect(points.length).toBeLessThanOrEqual(512)
        expect(points.reduce((sum, point) => sum + point.arrivals, 0)).toBe(times.length)
        expect(points.at(-1)!.waiting).toBe(times.length)
        expect(points.length * series.bucketSeconds).toBeGreaterThan(Math.max(...times))
      }),
    )
  })
})

describe("Jain's index", () => {
  it('is 1 for equal shares, 1/n when one has all, and nothing without a share', () => {
    expect(jainIndex([3, 3, 3])).toBe(1)
    expect(jainIndex([7, 0, 0, 0])).toBe(0.25)
    expect(jainIndex([1, 2])).toBe(0.9)
    expect(jainIndex([0, 0])).toBeUndefined()
    expect(jainIndex([])).toBeUndefined()
  })
})
