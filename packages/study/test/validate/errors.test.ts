import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorsOf, summaryOf } from '../../src/validate/errors.ts'

describe('errors of runs', () => {
  it('are signed fractions of what was measured, of means, or of medians where only they were measured', () => {
    const predicted = { ttft: { mean: 0.11, p50: 0.1 }, tpot: { mean: 0.02, p50: 0.03 }, outputTokensPerSecond: 90 }
    const measured = { ttft: { mean: 0.1 }, tpot: { p50: 0.04 }, outputTokensPerSecond: 100 }
    const errors = errorsOf(predicted, measured, ['ttft', 'tpot', 'e2e', 'throughput'])
    expect(errors.ttft).toBeCloseTo(0.1, 12)
    expect(errors.tpot).toBeCloseTo(-0.25, 12)
    expect(errors.throughput).toBeCloseTo(-0.1, 12)
    expect(errors.e2e).toBeUndefined()
  })

  it('are summed up by median, mean, 90th percentile, worst and bias', () => {
    expect(summaryOf([0.1, -0.3, 0.2])).toEqual({
      medianApe: 0.2,
      meanApe: expect.closeTo(0.2, 12),
      p90Ape: expect.closeTo(0.28, 12),
      worstApe: 0.3,
      medianSigned: 0.1,
      runs: 3,
    })
    expect(summaryOf([])).toBeUndefined()
  })

  it('never depend on the order of runs', () => {
    const error = fc.double({ min: -1, max: 5, noNaN: true })
    fc.assert(
      fc.property(fc.array(error, { minLength: 1, maxLength: 40 }), (signed) => {
        const there = summaryOf(signed)!
        const back = summaryOf([...signed].reverse())!
        expect(back.medianApe).toBe(there.medianApe)
        expect(back.worstApe).toBe(there.worstApe)
        expect(there.medianApe).toBeLessThanOrEqual(there.p90Ape)
        expect(there.p90Ape).toBeLessThanOrEqual(there.worstApe)
      }),
    )
  })
})
