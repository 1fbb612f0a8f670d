import { describe, expect, it } from 'vitest'
import { isClear, meanInterval, pairedInterval, studentT } from '../../src/compare/index.ts'

describe("Student's t", () => {
  it('agrees with printed tables', () => {
    // Two-sided 95 % and 99 %, from published tables of the distribution.
    const rows = [
      [0.95, 1, 12.7062047],
      [0.95, 2, 4.30265273],
      [0.95, 3, 3.18244631],
      [0.95, 4, 2.77644511],
      [0.95, 9, 2.26215716],
      [0.95, 30, 2.04227246],
      [0.99, 4, 4.60409487],
      [0.99, 10, 3.16927267],
      [0.5, 1, 1],
    ] as const
    for (const [confidence, degrees, t] of rows) expect(studentT(confidence, degrees) / t).toBeCloseTo(1, 8)
  })

  it('comes close to the normal distribution with many degrees of freedom', () => {
    expect(studentT(0.95, 100_000)).toBeCloseTo(1.95999, 4)
  })

  it('refuses what has no meaning', () => {
    expect(() => studentT(1, 4)).toThrow('expected a confidence above 0 and below 1, found 1')
    expect(() => studentT(0.95, 0)).toThrow('degrees of freedom, found 0')
  })
})

describe('intervals', () => {
  it('takes the paired differences, so that what both share falls out', () => {
    // Differences 1, 2, 3: mean 2, standard deviation 1, 4.30265 / sqrt(3) = 2.48414 either side.
    const interval = pairedInterval([100, 2, 3000], [101, 4, 3003], 0.95)!
    expect(interval.mean).toBe(2)
    expect(interval.halfWidth).toBeCloseTo(2.48414, 5)
    expect(isClear(interval)).toBe(false)
  })

  it('leaves out pairs of which one is missing, and says how many are left', () => {
    expect(pairedInterval([1, undefined, 3, 4], [2, 3, undefined, 5], 0.95)).toEqual({
      mean: 1,
      halfWidth: 0,
      replications: 2,
    })
    expect(pairedInterval([undefined], [1], 0.95)).toBeUndefined()
  })

  it('has no width to tell with one replication', () => {
    const interval = meanInterval([7], 0.95)!
    expect(interval).toEqual({ mean: 7, halfWidth: undefined, replications: 1 })
    expect(isClear(interval)).toBe(false)
  })
})
