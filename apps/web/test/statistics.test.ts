import { describe, expect, it } from 'vitest'
import { estimate, isClear, pairedDifference } from '../src/compare/statistics.ts'

describe('means over seeds', () => {
  it('carry an interval from the t distribution', () => {
    // 1, 2, 3: mean 2, deviation 1, and t for two degrees of freedom is 4.303.
    const { mean, halfWidth } = estimate([1, 2, 3]) ?? { mean: 0, halfWidth: 0 }
    expect(mean).toBe(2)
    expect(halfWidth).toBeCloseTo(4.303 / Math.sqrt(3), 9)
  })

  it('have no interval with one seed, and nothing can be said then', () => {
    const one = estimate([5])
    expect(one).toEqual({ mean: 5, halfWidth: undefined })
    expect(one !== undefined && isClear(one)).toBe(false)
  })

  it('are compared seed by seed, so that a steady difference is clear however the seeds differ', () => {
    const difference = pairedDifference([10, 200, 3000], [11, 201, 3001])
    expect(difference).toEqual({ mean: 1, halfWidth: 0 })
    expect(difference !== undefined && isClear(difference)).toBe(true)
  })

  it('leave out seeds that have not both values yet', () => {
    expect(pairedDifference([1, undefined, 3], [2, 5, undefined])?.mean).toBe(1)
    expect(pairedDifference([], [])).toBeUndefined()
  })
})
