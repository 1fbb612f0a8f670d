import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Attention,
  attentionFlops,
  attentionPairs,
  forwardFlops,
  layerShapes,
  modelNames,
  parameterCounts,
  presets,
  trainingFlops,
  weightFlopsPerToken,
} from '../../src/index.ts'

const heads = { queryHeads: 2, kvHeads: 1, headDim: 4 }
const full: Attention = { kind: 'full', ...heads }
const windowed: Attention = { kind: 'sliding-window', windowTokens: 3, ...heads }
const chunked: Attention = { kind: 'chunked', windowTokens: 4, ...heads }

const compressed: Attention = {
  kind: 'latent',
  queryHeads: 2,
  kvRank: 4,
  ropeHeadDim: 2,
  nopeHeadDim: 4,
  valueHeadDim: 6,
  indexer: { heads: 1, headDim: 2, topTokens: 3 },
  compressedCache: { windowTokens: 5, tokensPerEntry: 4, outputGroups: 1, outputRank: 4 },
}

const count = (newTokens: number, context: number, sees: (position: number) => number): number => {
  let pairs = 0
  for (let i = 0; i < newTokens; i++) pairs += sees(context + i + 1)
  return pairs
}

describe('query-key pairs', () => {
  it('of a causal prefill are n (n + 1) / 2', () => expect(attentionPairs(full, 10, 0)).toBe(55))
  it('of one decoded token are the context and itself', () => expect(attentionPairs(full, 1, 99)).toBe(100))
  it('are the whole square when not causal', () => expect(attentionPairs(full, 10, 5, false)).toBe(150))

  it('are what counting token by token gives, for full, windowed and chunked layers', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }), (tokens, context) => {
        expect(attentionPairs(full, tokens, context)).toBe(count(tokens, context, (p) => p))
        expect(attentionPairs(windowed, tokens, context)).toBe(count(tokens, context, (p) => Math.min(p, 3)))
        const entries = (p: number) => Math.min(p, 5) + Math.min(Math.floor(p / 4), 3)
        expect(attentionPairs(compressed, tokens, context)).toBe(count(tokens, context, entries))
        expect(attentionPairs(chunked, tokens, context)).toBe(count(tokens, context, (p) => ((p - 1) % 4) + 1))
      }),
    ))

  it('do not depend on how a prompt is cut into chunks', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...modelNames),
        fc.integer({ min: 0, max: 9000 }),
        fc.integer({ min: 0, max: 9000 }),
        (name, first, second) => {
          const whole = forwardFlops(presets[name], first + second)
          const parts = forwardFlops(presets[name], first) + forwardFlops(presets[name], second, first)
          expect(Math.abs(whole - parts)).toBeLessThanOrEqual(whole * 1e-12)
        },
      ),
    ))
})

describe('FLOPs', () => {
  it('of the weights are 2 per parameter that a token multiplies', () => {
    const { total, embedding } = parameterCounts(presets['llama-3.1-70b'])
    expect(weightFlopsPerToken(presets['llama-3.1-70b'])).toBe(2 * (total - embedding))
  })

  it('of attention in training are 12 T^2 N H a layer without a mask, half of it (and a diagonal) with', () => {
    const t = 8192
    const square = attentionFlops(presets['llama-3.1-70b'], t, 0, false)
    expect(3 * square).toBe(80 * 12 * t * t * 64 * 128)
    expect(attentionFlops(presets['llama-3.1-70b'], t)).toBe((square / t / t) * ((t * (t + 1)) / 2))
  })

  it('of training are three forward passes', () =>
    expect(trainingFlops(presets['llama-2-13b'], 4096)).toBe(3 * forwardFlops(presets['llama-2-13b'], 4096)))
})

describe('layer shapes', () => {
  it('count every layer once and add up to the parameters of the blocks', () => {
    for (const name of modelNames) {
      const shapes = layerShapes(presets[name])
      const c = parameterCounts(presets[name])
      expect(shapes.reduce((n, shape) => n + shape.count, 0)).toBe(presets[name].layers.length)
      expect(shapes.reduce((n, s) => n + s.count * (s.attentionParameters + s.mlpParameters), 0)).toBe(
        c.attention + c.mlp + c.experts + c.sharedExperts + c.routers,
      )
    }
  })

  it('tell local and global layers apart, in order of appearance', () => {
    const [local, global] = layerShapes(presets['gemma-3-27b'])
    expect(local).toMatchObject({ count: 52, kind: 'sliding-window', windowTokens: 1024, kvHeads: 16 })
    expect(global).toMatchObject({ count: 10, kind: 'full', windowTokens: undefined })
  })

  it('give linear layers a state and no KV', () => {
    const [linear, full] = layerShapes(presets['qwen3.5-35b-a3b'])
    expect(linear).toMatchObject({ count: 30, kind: 'linear', kvElementsStored: 0, recurrentElements: 32 * 128 * 128 })
    expect(full).toMatchObject({ count: 10, kind: 'full', kvElementsStored: 1024, recurrentElements: 0 })
  })

  it('see the dense first layers of a model of experts', () => {
    const [dense, sparse] = layerShapes(presets['deepseek-v3'])
    expect(dense).toMatchObject({ count: 3, kvElementsStored: 576, kvHeads: 1, headDim: 192 })
    expect(sparse).toMatchObject({ count: 58, activatedMlpParameters: 9 * 3 * 7168 * 2048 + 7168 * 256 + 256 })
  })
})
