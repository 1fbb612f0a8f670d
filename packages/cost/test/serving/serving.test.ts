import {
  cacheTurnover,
  decodeMatmul,
  kvEqualsMathTokens,
  largestBatch,
  latencyThroughputFront,
  prefillToGenerateRatio,
  servingPoint,
  servingPoints,
  smallestSlice,
  usdPerMillionTokens,
} from '@windtunnel/cost'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const system = {
  activatedParams: 8e9,
  paramBytes: 8e9,
  kvBytesPerToken: 1e5,
  chips: 4,
  hbmBytesPerSecond: 1e12,
  peakFlopsPerSecond: 100e12,
}

describe('serving (S)', () => {
  test('the three times of a decode matmul by hand (S6)', () => {
    const times = decodeMatmul({
      batchTokens: 100,
      dModel: 1000,
      dFf: 4000,
      shards: 4,
      linkBytesPerSecond: 1e10,
      hbmBytesPerSecond: 1e12,
      peakFlopsPerSecond: 1e14,
    })
    expect(times.linkSeconds).toBeCloseTo(20e-6, 12)
    expect(times.memorySeconds).toBeCloseTo(2e-6, 12)
    expect(times.mathSeconds).toBeCloseTo(2e-6, 12)
    expect(times.bound).toBe('communication')
  })

  test('of 32 sequences with 200 tokens of output, one ends every 6.25 steps (S8)', () => {
    expect(cacheTurnover({ batch: 32, promptTokens: 1800, outputTokens: 200 })).toEqual({
      sequencesPerStep: 0.16,
      cacheTokensPerStep: 320,
    })
  })

  test('a prefill of 0.9 s for 43 sequences of 512 steps of 19 ms takes about 4 prefill servers (S9)', () => {
    const ratio = prefillToGenerateRatio({ prefillSeconds: 0.9, batch: 43, stepSeconds: 0.019, outputTokens: 512 })
    expect(ratio).toBeCloseTo(3.978, 3)
  })

  test('4 chips at 2 dollars an hour and 1000 tokens a second: 2.22 dollars a million tokens', () => {
    expect(usdPerMillionTokens({ chips: 4, usdPerHour: 2, tokensPerSecond: 1000 })).toBeCloseTo(8 / 3.6, 9)
  })

  test('slices go to the next listed one, else to a power of two, and a latency can ask for more (S3)', () => {
    const of = { bytes: 70e9, hbmBytesPerChip: 16e9 }
    expect(smallestSlice(of)).toMatchObject({ minChips: 5, sliceChips: 8 })
    expect(smallestSlice({ ...of, slices: ['4x4', '2x3'] })).toMatchObject({ slice: '2x3', sliceChips: 6 })
    expect(smallestSlice({ ...of, atLeastChips: 9 })).toMatchObject({ minChips: 5, sliceChips: 16 })
    expect(() => smallestSlice({ ...of, slices: ['2x2'] })).toThrow(/at least 5 chips, found 2x2/)
    expect(() => smallestSlice({ ...of, slices: ['big'] })).toThrow(/whole number/)
  })

  test('weights that do not fit leave room for no sequence (S2)', () => {
    const memory = { chips: 4, hbmBytesPerChip: 16e9, kvBytesPerSequence: 1e9 }
    expect(largestBatch({ ...memory, paramBytes: 70e9 })).toBe(0)
    expect(largestBatch({ ...memory, paramBytes: 54e9 })).toBe(10)
  })

  test('at the crossover context KV takes as long as arithmetic at any batch (S10)', () => {
    const contextTokens = kvEqualsMathTokens(system)
    // (2*8e9/100e12)/(1e5/1e12) = 160e-6/0.1e-6.
    expect(contextTokens).toBeCloseTo(1600, 9)
    const point = servingPoint({ ...system, batch: 1000, contextTokens })
    expect(point.kvSeconds / point.mathSeconds).toBeCloseTo(1, 12)
  })

  test('points of a front get slower and more productive in step; none is beaten in both', () => {
    const batches = fc.uniqueArray(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(batches, fc.integer({ min: 16, max: 32_768 }), (listed, contextTokens) => {
        const points = servingPoints({ ...system, batches: listed, contextTokens })
        const front = latencyThroughputFront(points)
        for (const point of points) {
          const beaten = front.some(
            (one) =>
              one.seconds <= point.seconds &&
              one.tokensPerSecondPerChip >= point.tokensPerSecondPerChip &&
              (one.seconds < point.seconds || one.tokensPerSecondPerChip > point.tokensPerSecondPerChip),
          )
          expect(front.includes(point)).toBe(!beaten)
        }
      }),
    )
  })
})
