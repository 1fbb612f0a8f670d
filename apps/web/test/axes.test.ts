import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CalmTop, gridlines, roundedUp } from '../src/chart/scale.ts'
import { timeSplits, timeText } from '../src/chart/timeAxis.ts'
import { axisOf } from '../src/figure/axis.ts'

describe('axes', () => {
  it('end at a round number at or above the values', () => {
    expect([0.61, 7, 11, 140, 5200].map(roundedUp)).toEqual([0.8, 8, 12, 150, 6000])
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (value) => {
        const top = roundedUp(value)
        return top >= value * (1 - 1e-8) && top <= value * 2.5
      }),
    )
  })

  it('have gridlines from zero to the top', () => {
    expect(gridlines(800)).toEqual([0, 200, 400, 600, 800])
    expect(gridlines(30)).toEqual([0, 10, 20, 30])
  })

  it('grow at once and shrink only after a while', () => {
    const calm = new CalmTop(1, 3)
    expect(calm.follow(90)).toBe(100)
    expect([1, 2, 3].map(() => calm.follow(9))).toEqual([100, 100, 100])
    expect(calm.follow(9)).toBe(10)
  })

  it('mark time at round offsets before now', () => {
    expect(timeSplits(0, 60)).toEqual([0, 20, 40, 60].slice(1))
    expect([0, -30, -600, -10_800].map(timeText)).toEqual(['now', '−30 s', '−10 min', '−3 h'])
  })

  it('place values on a logarithmic axis by their ratio', () => {
    const axis = axisOf({ label: '', log: true, from: 1, to: 100, tick: String }, 0, 200, 5)
    expect(axis.position(10)).toBeCloseTo(100, 9)
    expect(axis.ticks).toEqual([1, 3, 10, 30, 100])
  })
})
