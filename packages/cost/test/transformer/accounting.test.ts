import {
  attentionEqualsProjectionsTokens,
  attentionIntensity,
  combineSoftmax,
  contractionFlops,
  forwardFlops,
  idleAxisMatmulFlops,
  matmulCheckpointRecomputeFlops,
  matmulTrainingFlops,
  mixedKvBytes,
  mlpFlops,
  mlpParams,
  savedActivationBytes,
  savedArraysPerLayer,
  transformerParams,
  vocabularyParams,
  writtenContractionFlops,
} from '@windtunnel/cost'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('accounting for a transformer (M)', () => {
  test('an outer product has no contracted dimension, so it costs one multiply an element (M1)', () => {
    expect(contractionFlops({ outputSizes: [3, 5], contractedSizes: [] })).toBe(15)
    expect(contractionFlops({ outputSizes: [], contractedSizes: [7] })).toBe(14)
  })

  test('a written contraction names the dimension or the form it cannot take (M1)', () => {
    const sizes = { I: 2, J: 3 }
    expect(() => writtenContractionFlops({ contraction: 'A[I,J]*B[J,K]->C[I,K]', sizes })).toThrow(
      /sizes\.K must be given/,
    )
    expect(() => writtenContractionFlops({ contraction: 'A[I,J]*B[J]->C[Z]', sizes })).toThrow(/found Z/)
    expect(() => writtenContractionFlops({ contraction: 'A[I,J]', sizes })).toThrow(/of the form A\[I,J\]/)
    expect(writtenContractionFlops({ contraction: 'A[I J] x B[J] -> C[I]', sizes })).toBe(12)
  })

  test('a matmul of 2x3 by 3x5 costs 60 FLOPs forward, 120 backward and 180 together (M2)', () => {
    expect(matmulTrainingFlops({ rows: 2, inner: 3, columns: 5 })).toEqual({
      forwardFlops: 60,
      backwardFlops: 120,
      totalFlops: 180,
    })
  })

  test('an ungated MLP has two thirds of the parameters of a gated one (M3)', () => {
    expect(mlpParams({ dModel: 4, dFf: 10, gated: false })).toBe(80)
    expect(mlpParams({ dModel: 4, dFf: 10, gated: true })).toBe(120)
    expect(mlpFlops({ dModel: 4, dFf: 10, gated: false, tokens: 5, pass: 'training' })).toBe(12 * 5 * 4 * 10)
    expect(mlpFlops({ dModel: 4, dFf: 10, gated: false, tokens: 5, pass: 'forward' })).toBe(4 * 5 * 4 * 10)
  })

  test('attention costs what multi-head projections cost at a context of 2D (M8)', () => {
    expect(attentionEqualsProjectionsTokens({ dModel: 512, queryHeads: 8, kvHeads: 8, headDim: 64 })).toBe(1024)
  })

  test('a mixture of 8 experts with 2 a token: totals and activated parameters by hand (M9)', () => {
    // Per layer: one expert 3*4*10 = 120; attention 2*4*(2+1)*2 = 48. Vocabulary 2*4*11 = 88.
    const params = transformerParams({
      layers: 3,
      dModel: 4,
      dFf: 10,
      gated: true,
      queryHeads: 2,
      kvHeads: 1,
      headDim: 2,
      vocabulary: 11,
      tied: false,
      normsPerLayer: 2,
      experts: 8,
      expertsPerToken: 2,
    })
    expect(params.total).toBe(3 * (8 * 120 + 48 + 8) + 88)
    expect(params.activated).toBe(3 * (2 * 120 + 48 + 8) + 88)
    expect(forwardFlops({ activatedParams: params.activated, tokens: 10 })).toBe(20 * params.activated)
    expect(vocabularyParams({ dModel: 4, vocabulary: 11, tied: true })).toBe(44)
  })

  test('block rematerialisation keeps one array a layer where none keeps twenty (M11)', () => {
    const of = (savedArrays: number) => savedActivationBytes({ savedArrays, tokens: 10, dModel: 4, layers: 3 })
    expect(of(savedArraysPerLayer.none)).toBe(4800)
    expect(of(savedArraysPerLayer.block)).toBe(240)
  })

  test('windowed layers stop growing at the window, and shared caches are still read (I6)', () => {
    // 2 global layers of 100 tokens and 4 local ones of 10: 240 layer-tokens of 2*3*5 = 30 bytes.
    const sizes = { globalLayers: 2, localLayers: 4, windowTokens: 10, kvHeads: 3, headDim: 5, bytesPerElement: 1 }
    expect(mixedKvBytes({ ...sizes, layersPerCache: 1, contextTokens: 100 })).toEqual({
      storedBytes: 7200,
      readBytes: 7200,
    })
    expect(mixedKvBytes({ ...sizes, layersPerCache: 2, contextTokens: 100 })).toEqual({
      storedBytes: 3600,
      readBytes: 7200,
    })
    expect(mixedKvBytes({ ...sizes, layersPerCache: 1, contextTokens: 5 }).storedBytes).toBe(900)
  })

  test('without grouping the intensity is ST/(S+T): half the context in prefill, about 1 in decode (I5)', () => {
    expect(attentionIntensity({ queryTokens: 960, keyTokens: 960, queryHeadsPerKvHead: 1 })).toBe(480)
    expect(attentionIntensity({ queryTokens: 1, keyTokens: 999, queryHeadsPerKvHead: 1 })).toBeCloseTo(0.999, 12)
  })

  test('keeping the seven matmul outputs recomputes 4BT^2NH a layer (M14)', () => {
    const sizes = { sequences: 2, tokensPerSequence: 10, queryHeads: 3, headDim: 5 }
    expect(matmulCheckpointRecomputeFlops(sizes)).toBe(12_000)
  })

  test('a mesh axis of 4 that idles repeats the matmul 4 times (M16)', () => {
    expect(idleAxisMatmulFlops({ rows: 8, inner: 2, columns: 3, shards: 8, idleReplicas: 4 })).toEqual({
      totalFlops: 384,
      flopsPerDevice: 12,
      wastedShare: 0.75,
    })
  })

  test('joining softmax chunks does not depend on their order (M17)', () => {
    const part = fc.record({
      maximum: fc.double({ min: -50, max: 50, noNaN: true }),
      denominator: fc.double({ min: 1, max: 1e6, noNaN: true }),
    })
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        const left = combineSoftmax(combineSoftmax(a, b), c)
        const right = combineSoftmax(c, combineSoftmax(b, a))
        expect(left.maximum).toBe(right.maximum)
        expect(Math.abs(left.denominator / right.denominator - 1)).toBeLessThan(1e-12)
      }),
    )
  })

  test('a size of zero is refused by name', () => {
    expect(() => mlpParams({ dModel: 0, dFf: 10, gated: true })).toThrow(/mlpParams: dModel must be a finite number/)
  })
})
