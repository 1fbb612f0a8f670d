import {
  acrossSlicesBackward,
  axisOverlaps,
  bestFsdpShards,
  dataParallelBackward,
  dataParallelMinTokensPerChip,
  fsdpForward,
  layerTraffic,
  maxTensorParallelism,
  microbatchesForIdleShare,
  mixedForward,
  mixedMinTokensPerChip,
  nearestPowerOfTwo,
  pipelineBubble,
  stageHopSeconds,
  tensorParallelForward,
  trainingMixes,
  trainingScheme,
} from '@windtunnel/cost'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

// A round chip: alpha = 1e12/1e9 = 1000.
const chip = { peakFlopsPerSecond: 1e12, linkBytesPerSecond: 1e9 }
const layer = { batchTokens: 8000, dModel: 100, dFf: 1000 }

describe('laying a layer out for training (T)', () => {
  test('data parallelism over 4 chips: arithmetic and AllReduces by hand (T2)', () => {
    // 8*8000*100*1000/(4*1e12) = 1.6 ms; 8*100*1000/(1e9*2) = 0.4 ms.
    const time = dataParallelBackward({ ...layer, ...chip, shards: 4, axes: 2 })
    expect(time.mathSeconds).toBeCloseTo(1.6e-3, 12)
    expect(time.commsSeconds).toBeCloseTo(0.4e-3, 12)
    expect(time.verdict).toBe('compute-bound')
  })

  test('at exactly alpha/M_X tokens a chip arithmetic equals communication, in T2 and T3 alike', () => {
    expect(dataParallelMinTokensPerChip({ criticalIntensity: 1000, axes: 2 })).toBe(500)
    for (const at of [dataParallelBackward, fsdpForward]) {
      const time = at({ ...layer, ...chip, shards: 16, axes: 2 })
      expect(time.mathSeconds).toBeCloseTo(time.commsSeconds, 12)
    }
  })

  test('tensor parallelism is bound by F alone: at its limit the two times are equal for any batch (T4)', () => {
    expect(maxTensorParallelism({ dFf: 4000, axes: 1, criticalIntensity: 1000 })).toBe(4)
    for (const batchTokens of [10, 10_000]) {
      const time = tensorParallelForward({ ...chip, dModel: 100, dFf: 4000, batchTokens, shards: 4, axes: 1 })
      expect(time.mathSeconds / time.commsSeconds).toBeCloseTo(1, 12)
    }
  })

  test('mixed: 4x2 chips by hand, overlapped and serial (T5)', () => {
    // fsdp 4*100*1000/(2*1e9*2) = 0.1 ms; tensor 4*8000*100/(4*1e9) = 0.8 ms; math 4*8000*100*1000/(8*1e12) = 0.4 ms.
    const shards = { fsdpShards: 4, tensorShards: 2, fsdpAxes: 2, tensorAxes: 1 }
    const overlapped = mixedForward({ ...layer, ...chip, ...shards, overlap: 'overlapped' })
    expect(overlapped.fsdpSeconds).toBeCloseTo(1e-4, 12)
    expect(overlapped.tensorSeconds).toBeCloseTo(8e-4, 12)
    expect(overlapped.mathSeconds).toBeCloseTo(4e-4, 12)
    expect(overlapped.seconds).toBeCloseTo(8e-4, 12)
    expect(mixedForward({ ...layer, ...chip, ...shards, overlap: 'serial' }).seconds).toBeCloseTo(9e-4, 12)
  })

  test('on one shard a strategy has nothing to communicate (T5)', () => {
    const alone = { fsdpShards: 8, tensorShards: 1, fsdpAxes: 3, tensorAxes: 1, overlap: 'serial' as const }
    expect(mixedForward({ ...layer, ...chip, ...alone }).tensorSeconds).toBe(0)
  })

  test('the split of T6 communicates no more than any other, and meets the thresholds of T7 and T8', () => {
    const sizes = fc.record({
      batchTokens: fc.integer({ min: 1000, max: 1e7 }),
      dFf: fc.integer({ min: 1000, max: 60_000 }),
      chips: fc.constantFrom(64, 256, 1024, 4096),
      ratio: fc.double({ min: 0.2, max: 5, noNaN: true }),
      overlap: fc.constantFrom(...axisOverlaps),
    })
    fc.assert(
      fc.property(sizes, ({ batchTokens, dFf, chips, ratio, overlap }) => {
        const best = bestFsdpShards({ batchTokens, dFf, chips, fsdpAxes: 2, tensorAxes: 1 })
        fc.pre(best.pure === undefined)
        const comms = (fsdpShards: number) => {
          const fsdp = (4 * dFf) / ((chips / fsdpShards) * 2)
          const tensor = (4 * batchTokens) / fsdpShards
          return overlap === 'overlapped' ? Math.max(fsdp, tensor) : fsdp + tensor
        }
        expect(comms(best.fsdpShards)).toBeLessThanOrEqual(comms(best.fsdpShards * ratio) * (1 + 1e-9))
        // Times D/W; arithmetic is 4BF/(N alpha) on the same scale.
        const math = (4 * batchTokens * dFf) / (chips * 1000)
        const min = mixedMinTokensPerChip({ criticalIntensity: 1000, dFf, axesProduct: 2, overlap })
        const ratioOfTimes = math / comms(best.fsdpShards)
        expect(ratioOfTimes * ratioOfTimes).toBeCloseTo(batchTokens / chips / min, 6)
      }),
    )
  })

  test('beyond the ends of T6 one strategy alone is best', () => {
    const of = (batchTokens: number) =>
      bestFsdpShards({ batchTokens, dFf: 1000, chips: 64, fsdpAxes: 1, tensorAxes: 1 })
    expect(of(64_000)).toMatchObject({ fsdpShards: 64, tensorShards: 1, pure: 'fsdp' })
    expect(of(10)).toMatchObject({ fsdpShards: 1, tensorShards: 64, pure: 'tensor' })
  })

  test('powers of two are nearest on a logarithmic scale: 1448 falls to 1024, 1449 rises to 2048', () => {
    expect([1, 1.5, 1448, 1449, 3000].map(nearestPowerOfTwo)).toEqual([1, 2, 1024, 2048, 2048 * 2])
  })

  test('the scheme follows tokens a chip: FSDP, then mixed, then none; few chips can use tensors alone (T9)', () => {
    // alpha/3 = 333; overlapped threshold 1e6/(2*10000) = 50; tensor limit 3*10000/1000 = 30 chips.
    const of = (batchTokens: number, chips: number) =>
      trainingScheme({ batchTokens, chips, dFf: 10_000, criticalIntensity: 1000, axes: 3, overlap: 'overlapped' })
    expect(of(400 * 64, 64)).toMatchObject({ scheme: 'fsdp', verdict: 'compute-bound' })
    expect(of(60 * 64, 64)).toMatchObject({ scheme: 'mixed', verdict: 'compute-bound' })
    expect(of(40 * 64, 64)).toMatchObject({ scheme: 'mixed', verdict: 'comms-bound' })
    expect(of(40 * 16, 16)).toMatchObject({ scheme: 'tensor', verdict: 'compute-bound' })
  })

  test('collective bytes of a layer by strategy, as the table of the chapter has them (T10)', () => {
    const sizes = { batchTokens: 16, dModel: 3, dFf: 5, fsdpShards: 4, tensorShards: 2 }
    const bytes = (strategy: 'data' | 'fsdp' | 'tensor' | 'mixed') => {
      const { forwardCommsBytes, backwardCommsBytes } = layerTraffic({ ...sizes, strategy })
      return [forwardCommsBytes, backwardCommsBytes]
    }
    expect(bytes('data')).toEqual([0, 120])
    expect(bytes('fsdp')).toEqual([60, 120])
    expect(bytes('tensor')).toEqual([192, 192])
    expect(bytes('mixed')).toEqual([192 / 4 + 60 / 2, 2 * (192 / 4 + 60 / 2)])
    expect(layerTraffic({ ...sizes, strategy: 'mixed' })).toMatchObject({
      forwardFlopsPerChip: 120,
      backwardFlopsPerChip: 240,
    })
  })

  test('across slices: gradients over the network of a slice, by hand; one slice has none (T11)', () => {
    // math 8*8000*100*1000/(8*1e12) = 0.8 ms; comms 8*100*1000/(4*1e8) = 2 ms.
    const slices = { ...layer, slices: 2, chipsPerSlice: 4, peakFlopsPerSecond: 1e12, dcnBytesPerSecondPerChip: 1e8 }
    const time = acrossSlicesBackward(slices)
    expect(time.mathSeconds).toBeCloseTo(8e-4, 12)
    expect(time.commsSeconds).toBeCloseTo(2e-3, 12)
    expect(time.verdict).toBe('comms-bound')
    expect(acrossSlicesBackward({ ...slices, slices: 1 }).commsSeconds).toBe(0)
  })

  test('a pipeline of 4 stages and 12 microbatches idles a fifth of the time (T15)', () => {
    expect(pipelineBubble({ stages: 4, microbatches: 12 })).toEqual({ idleShare: 0.2, slowdown: 1.25 })
    expect(pipelineBubble({ stages: 1, microbatches: 12 }).idleShare).toBe(0)
    expect(microbatchesForIdleShare({ stages: 4, idleShare: 0.2 })).toBe(12)
    expect(stageHopSeconds({ microbatchTokens: 1000, dModel: 500, onewayBytesPerSecond: 1e9 })).toBeCloseTo(1e-3, 12)
  })

  test('the best mix is no slower than any other, uses all chips, and keeps to its limits (T9)', () => {
    const mixes = trainingMixes({ ...layer, ...chip, chips: 64, axes: 3, overlap: 'overlapped' })
    for (const mix of mixes) {
      expect(mix.fsdpShards * mix.tensorShards).toBe(64)
      expect(mix.seconds).toBeGreaterThanOrEqual(mixes[0]!.seconds)
    }
    const limited = trainingMixes({ ...layer, ...chip, chips: 64, axes: 3, overlap: 'overlapped', maxFsdpShards: 8 })
    expect(Math.max(...limited.map((mix) => mix.fsdpShards))).toBe(8)
  })

  test('limits that leave no layout are named', () => {
    const limits = { chips: 64, axes: 3, overlap: 'serial' as const, maxFsdpShards: 4, maxTensorShards: 4 }
    expect(() => trainingMixes({ ...layer, ...chip, ...limits })).toThrow(/at least 64 ways.*found 4 x 4/)
  })
})
