import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wholePercents, withShare } from '../src/live/shares.ts'

describe('shares of streams', () => {
  it('leave the rest to the others in their proportions', () => {
    expect(withShare([0.5, 0.3, 0.2], 0, 0.75)).toEqual([0.75, 0.15, 0.1])
    expect(withShare([1, 0, 0], 0, 0.5)).toEqual([0.5, 0.25, 0.25])
    expect(withShare([0.9, 0.1], 1, 1)).toEqual([0, 1])
    expect(withShare([1], 0, 0.3)).toEqual([1])
  })

  it('are shown as whole per cents that add up to 100, none a whole per cent off', () => {
    expect(wholePercents([1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33])
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 8 }), (weights) => {
        const sum = weights.reduce((before, one) => before + one, 0)
        fc.pre(sum > 0)
        const shares = weights.map((one) => one / sum)
        const percents = wholePercents(shares)
        expect(percents.reduce((before, one) => before + one, 0)).toBe(100)
        for (const [at, percent] of percents.entries()) expect(Math.abs(percent - shares[at]! * 100)).toBeLessThan(1)
      }),
    )
  })
})
