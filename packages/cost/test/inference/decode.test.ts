import {
  bestDraftLength,
  decodeMatmul,
  decodeStep,
  expectedTokensPerStep,
  kvCollectiveSeconds,
  kvSharding,
  latencyBoundArrayBytes,
  latencyBoundTensorParallelism,
  memoryBoundStep,
  memoryBoundTensorParallelism,
  moeCriticalBatchTokens,
  prefillSharding,
  saturationBatchRule,
  speculativeDecoding,
  throughputSaturation,
  twoDimensionalWeightStationary,
} from '@windtunnel/cost'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const slice = { chips: 4, hbmBytesPerSecond: 1e12, peakFlopsPerSecond: 100e12 }

describe('decoding (I)', () => {
  test('KV adds to the longer of weights and arithmetic, by hand on both sides of the critical batch (I3)', () => {
    // Weights 8e9/4e12 = 2 ms; arithmetic B*2*8e9/400e12 = B * 40 us; KV B*1e8/4e12 = B * 25 us.
    const of = (batch: number) =>
      decodeStep({ ...slice, batch, activatedParams: 8e9, paramBytes: 8e9, kvBytesPerSequence: 1e8 })
    expect(of(10).seconds).toBeCloseTo(2.25e-3, 12)
    expect(of(10).matmulBound).toBe('memory')
    expect(of(100).seconds).toBeCloseTo(6.5e-3, 12)
    expect(of(100).matmulBound).toBe('compute')
    expect(of(100).tokensPerSecondPerChip).toBeCloseTo(100 / 6.5e-3 / 4, 6)
  })

  test('below the critical batch the step is the memory-bound one of I1', () => {
    const batch = { batch: 10, paramBytes: 8e9, kvBytesPerSequence: 1e8 }
    const memory = memoryBoundStep({ ...batch, ...slice })
    expect(decodeStep({ ...batch, ...slice, activatedParams: 8e9 }).seconds).toBeCloseTo(memory.seconds, 15)
  })

  test('throughput saturates where the caches weigh as much as the weights, at half its limit (I14)', () => {
    const sizes = { paramBytes: 8e9, kvBytesPerSequence: 1e8, chips: 4, hbmBytesPerSecond: 1e12 }
    const found = throughputSaturation(sizes)
    expect(found).toEqual({ saturationBatch: 80, cachesToExceedParams: 81, limitTokensPerSecond: 40_000 })
    expect(memoryBoundStep({ ...sizes, batch: 80 }).tokensPerSecond).toBeCloseTo(20_000, 6)
    // 2DF/(SHK) with KH = D is 2F/S.
    expect(saturationBatchRule({ dModel: 64, dFf: 512, contextTokens: 128, kvHeads: 8, headDim: 8 })).toBe(8)
  })

  test('a mixture that routes a token to 2 of 16 experts needs 8 times the batch (I13)', () => {
    expect(moeCriticalBatchTokens({ experts: 16, expertsPerToken: 2, denseCriticalBatchTokens: 120 })).toBe(960)
  })

  test('at the limit of I7 a decode matmul reads weights as long as it sends activations', () => {
    const links = { hbmBytesPerSecond: 8e11, linkBytesPerSecond: 1e11, peakFlopsPerSecond: 1e15 }
    const shards = memoryBoundTensorParallelism({ dFf: 4096, batchTokens: 8, memoryToLinkRatio: 8 })
    expect(shards).toBe(64)
    const at = decodeMatmul({ ...links, batchTokens: 8, dModel: 1024, dFf: 4096, shards })
    expect(at.linkSeconds / at.memorySeconds).toBeCloseTo(1, 12)
    expect(decodeMatmul({ ...links, batchTokens: 8, dModel: 1024, dFf: 4096, shards: 32 }).bound).toBe('memory')
    expect(decodeMatmul({ ...links, batchTokens: 8, dModel: 1024, dFf: 4096, shards: 128 }).bound).toBe('communication')
    // int8 weights with bf16 activations halve the limit.
    const int8 = memoryBoundTensorParallelism({ dFf: 4096, batchTokens: 8, memoryToLinkRatio: 8, weightBytes: 1 })
    expect(int8).toBe(32)
  })

  test('a cache goes over heads first, then batch, then context, and pays for what it needs (I8)', () => {
    const heads = { kvHeads: 8, queryHeads: 32, headDim: 128 }
    expect(kvSharding({ ...heads, shards: 8, batch: 4 })).toMatchObject({ headWays: 8, batchWays: 1, collectives: [] })
    const batched = kvSharding({ ...heads, shards: 16, batch: 4 })
    // 2 bytes x 4 sequences x 32 heads x 128 = 32768 bytes, twice.
    expect(batched.collectives.map(({ kind, bytes }) => [kind, bytes])).toEqual([
      ['all-to-all', 32_768],
      ['all-to-all', 32_768],
    ])
    const { collectives } = batched
    expect(kvCollectiveSeconds({ collectives, linkBytesPerSecond: 1e9 })).toBeCloseTo(16.384e-6, 12)
    const long = kvSharding({ ...heads, shards: 64, batch: 2 })
    expect(long).toMatchObject({ headWays: 8, batchWays: 2, sequenceWays: 4 })
    expect(long.collectives.map(({ kind }) => kind)).toEqual(['all-to-all', 'all-to-all', 'all-gather', 'all-gather'])
  })

  test('every sharding of a cache uses all its chips and no more heads or sequences than there are (I8)', () => {
    const some = fc.record({
      shards: fc.integer({ min: 1, max: 256 }),
      kvHeads: fc.integer({ min: 1, max: 64 }),
      batch: fc.integer({ min: 1, max: 300 }),
    })
    fc.assert(
      fc.property(some, ({ shards, kvHeads, batch }) => {
        const found = kvSharding({ shards, kvHeads, queryHeads: kvHeads, headDim: 64, batch })
        expect(found.headWays * found.batchWays * found.sequenceWays).toBe(shards)
        expect(kvHeads % found.headWays).toBe(0)
        expect(found.batchWays).toBeLessThanOrEqual(batch)
      }),
    )
  })

  test('the best split of I9 communicates no more than another', () => {
    const sizes = { chips: 64, batchTokens: 16, dModel: 1024, dFf: 4096, linkBytesPerSecond: 1e9 }
    const best = twoDimensionalWeightStationary(sizes)
    // sqrt(64*1024/8192) = sqrt(8).
    expect(best.modelShards * best.modelShards).toBeCloseTo(8, 12)
    for (const modelShards of [1, 2, 4, 8, 64]) {
      const other = twoDimensionalWeightStationary({ ...sizes, modelShards })
      expect(other.commsSeconds).toBeGreaterThanOrEqual(best.commsSeconds)
    }
  })

  test('8 chips at 45 GB/s and 1 us are latency-bound below 360 kB; int8 TP above BD/45000 (I10)', () => {
    const link = { onewayBytesPerSecond: 45e9, hopSeconds: 1e-6 }
    expect(latencyBoundArrayBytes({ ...link, shards: 8 })).toBeCloseTo(360_000, 6)
    const ways = latencyBoundTensorParallelism({ ...link, batchTokens: 100, dModel: 9000, bytesPerElement: 1 })
    expect(ways).toBeCloseTo(20, 9)
  })

  test('prefill takes tensors up to F/alpha and the sequence beyond (I12)', () => {
    const of = (axes: number) => prefillSharding({ chips: 16, dFf: 16_384, criticalIntensity: 2200, axes })
    expect(of(1)).toMatchObject({ tensorWays: 4, sequenceWays: 4 })
    expect(of(2)).toMatchObject({ tensorWays: 8, sequenceWays: 2 })
  })
})

describe('speculative decoding (I11)', () => {
  test('with half of the drafts accepted, 2 drafts give 1 + 1/2 + 1/4 tokens', () => {
    expect(expectedTokensPerStep({ acceptance: 0.5, draftTokens: 2 })).toBe(1.75)
    expect(expectedTokensPerStep({ acceptance: 0, draftTokens: 5 })).toBe(1)
    expect(expectedTokensPerStep({ acceptance: 1, draftTokens: 5 })).toBe(6)
  })

  test('the gain counts the drafting: 1.75 tokens in 12 ms against 1 in 10', () => {
    const gain = speculativeDecoding({
      acceptance: 0.5,
      draftTokens: 2,
      targetStepSeconds: 0.01,
      draftStepSeconds: 0.001,
    })
    expect(gain.stepSeconds).toBeCloseTo(0.012, 12)
    expect(gain.speedup).toBeCloseTo(1.75 / 1.2, 12)
  })

  test('the best length by hand: 1.5/1.2, 1.75/1.4 and 1.875/1.6, so the shorter of the two best', () => {
    const costs = { acceptance: 0.5, targetStepSeconds: 1, draftStepSeconds: 0.2 }
    expect(bestDraftLength({ ...costs, maxDraftTokens: 8 })).toMatchObject({ draftTokens: 1, speedup: 1.25 })
  })

  test('a drafter as slow as its target, or never right, is not used', () => {
    const of = (acceptance: number, draftStepSeconds: number) =>
      bestDraftLength({ acceptance, draftStepSeconds, targetStepSeconds: 1, maxDraftTokens: 8 }).draftTokens
    expect(of(0.9, 1)).toBe(0)
    expect(of(0, 0.01)).toBe(0)
    expect(of(1, 0.01)).toBe(8)
  })

  test('more acceptance never gives fewer tokens', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(share, share, fc.integer({ min: 0, max: 20 }), (one, other, draftTokens) => {
        const [low, high] = one < other ? [one, other] : [other, one]
        const at = (acceptance: number) => expectedTokensPerStep({ acceptance, draftTokens })
        expect(at(low)).toBeLessThanOrEqual(at(high))
      }),
    )
  })

  test('an acceptance above 1 is refused', () => {
    expect(() => expectedTokensPerStep({ acceptance: 1.5, draftTokens: 2 })).toThrow(/probability of at most 1/)
  })
})
