import { describe, expect, it } from 'vitest'
import { type ModelName, modelNames, parameterCounts, presets } from '../../src/index.ts'

/** Parameter counts in billions as published: model cards, technical reports, or the sizes of the stored tensors. */
const published: Partial<Record<ModelName, number>> = {
  'llama-2-7b': 6.738,
  'llama-2-13b': 13.016,
  'llama-2-70b': 68.977,
  'codellama-34b': 33.744,
  'llama-3.1-8b': 8.03,
  'llama-3.1-70b': 70.554,
  'llama-3.1-405b': 405.853,
  'llama-3.2-1b': 1.236,
  'llama-3.2-3b': 3.213,
  'llama-4-scout': 109,
  'llama-4-maverick': 402,
  'mistral-7b': 7.248,
  'mistral-nemo-12b': 12.248,
  'mistral-small-24b': 23.572,
  'mistral-large-123b': 122.61,
  'mixtral-8x7b': 46.703,
  'mixtral-8x22b': 140.63,
  'qwen2.5-7b': 7.616,
  'qwen2.5-14b': 14.77,
  'qwen2.5-32b': 32.764,
  'qwen2.5-72b': 72.706,
  'qwen2-57b-a14b': 57.41,
  'qwen3-4b': 4.022,
  'qwen3-8b': 8.191,
  'qwen3-14b': 14.768,
  'qwen3-32b': 32.762,
  'qwen3-30b-a3b': 30.532,
  'qwen3-235b-a22b': 235.094,
  'qwen3-next-80b-a3b': 79.674,
  'qwen3.5-35b-a3b': 34.66,
  'qwen3.5-397b-a17b': 397,
  'deepseek-v2': 235.741,
  'deepseek-v2-lite': 15.706,
  'deepseek-v3': 671,
  'deepseek-v3.2': 671,
  'deepseek-v4-flash': 284,
  'deepseek-v4-pro': 1598.84 - 26.23, // with and less the draft layer
  'kimi-k2': 1026.4,
  'glm-4.5': 358.34 - 5.54, // stored tensors less the draft head: a layer, a projection and its own tables
  'glm-4.5-air': 110.47 - 3.62,
  'glm-5': 744,
  'minimax-m2': 228.7,
  'gpt-oss-20b': 20.91,
  'gpt-oss-120b': 116.83,
  'gemma-2-9b': 9.242,
  'gemma-2-27b': 27.227,
  'gemma-3-1b': 1,
  'gemma-3-12b': 11.766,
  'gemma-3-27b': 27.009,
  'phi-2': 2.78,
  'phi-3-mini': 3.821,
  'phi-3-medium': 13.96,
  'phi-3.5-moe': 41.873,
  'phi-mini-moe': 7.648,
  'phi-4': 14.66,
  'yi-34b': 34.389,
  'bloom-176b': 176.247,
}

describe('parameter counts', () => {
  for (const [name, billions] of Object.entries(published))
    it(`of ${name} are within 0.5 % of the published ${billions} billion`, () => {
      const { total } = parameterCounts(presets[name as ModelName])
      expect(Math.abs(total / (billions * 1e9) - 1)).toBeLessThan(0.005)
    })

  it('are exact where the publisher gives every digit', () => {
    expect(parameterCounts(presets['llama-3.1-8b']).total).toBe(8030261248)
    expect(parameterCounts(presets['gemma-3-1b']).total).toBe(999885952)
    expect(parameterCounts(presets['qwen3-235b-a22b']).total * 2).toBe(470187269120)
    expect(parameterCounts(presets['qwen3-32b']).total * 2).toBe(65524246528)
  })
})

describe('activated parameters', () => {
  const within = (found: number, billions: number, share: number) =>
    expect(Math.abs(found / (billions * 1e9) - 1)).toBeLessThan(share)

  it('match what publishers round them to, embedding table included', () => {
    within(parameterCounts(presets['qwen3-30b-a3b']).activated, 3.35, 0.01)
    within(parameterCounts(presets['qwen3-235b-a22b']).activated, 22, 0.01)
    within(parameterCounts(presets['deepseek-v3']).activated, 37, 0.02)
    within(parameterCounts(presets['llama-4-scout']).activated, 17, 0.02)
    within(parameterCounts(presets['mixtral-8x7b']).activated, 12.9, 0.01)
  })

  it('leave out the embedding table where publishers do', () => {
    within(parameterCounts(presets['gpt-oss-20b']).activatedInMatmuls, 3.6, 0.005)
    within(parameterCounts(presets['gpt-oss-120b']).activatedInMatmuls, 5.13, 0.005)
    within(parameterCounts(presets['kimi-k2']).activatedInMatmuls, 32, 0.02)
  })
})

describe('every preset', () => {
  it('is checked above', () => expect(modelNames.filter((name) => published[name] === undefined)).toEqual([]))

  it('has components that sum to the total, and no more activated than total', () => {
    for (const name of modelNames) {
      const c = parameterCounts(presets[name])
      const parts =
        c.attention + c.mlp + c.experts + c.sharedExperts + c.routers + c.norms + c.embedding + c.unembedding + c.extras
      expect(parts).toBe(c.total)
      expect(c.activated).toBeLessThanOrEqual(c.total)
      expect(c.activatedInMatmuls).toBeLessThanOrEqual(c.activated)
    }
  })
})
