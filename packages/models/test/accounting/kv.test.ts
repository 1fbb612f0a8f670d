import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  kvBytesPerSequence,
  kvBytesPerToken,
  kvBytesReadPerDecode,
  modelNames,
  presets,
  recurrentStateBytes,
  repeat,
} from '../../src/index.ts'

describe('KV bytes per token', () => {
  it('are 2 L K H elements', () => {
    expect(kvBytesPerToken(presets['qwen3-32b'], 2)).toBe(262144)
    expect(kvBytesPerToken(presets['qwen3-235b-a22b'], 2)).toBe(192512)
    expect(kvBytesPerToken(presets['qwen3-30b-a3b'], 2)).toBe(98304)
    expect(kvBytesPerToken(presets['llama-3.1-70b'], 1)).toBe(163840)
  })
  it('count only the layers with a cache in a hybrid', () =>
    expect(kvBytesPerToken(presets['qwen3.5-35b-a3b'], 2)).toBe(20480))
  it('are the compressed vector and the rotary key in latent attention', () =>
    expect(kvBytesPerToken(presets['deepseek-v3'], 2)).toBe(61 * 576 * 2))
  it('are saved by layers that reuse the KV of others, but still read', () => {
    const heads = { kind: 'full', queryHeads: 8, kvHeads: 2, headDim: 64 } as const
    const mlp = { kind: 'dense', intermediateSize: 1024, gated: true } as const
    const own = { attention: heads, mlp }
    const reusing = { attention: { ...heads, reusesKv: true }, mlp }
    const shared = { ...presets['llama-3.2-1b'], layers: [...repeat(2, own), ...repeat(2, reusing)] }
    expect(kvBytesPerToken(shared, 2)).toBe(2 * 2 * 2 * 64 * 2)
    expect(kvBytesReadPerDecode(shared, 100, 2)).toBe(4 * 2 * 2 * 64 * 2 * 100)
  })
})

describe('KV bytes of a sequence', () => {
  it('are 34.36 GB for 131,072 tokens of Qwen3-32B', () =>
    expect(kvBytesPerSequence(presets['qwen3-32b'], 131072, 2)).toBe(34359738368))
  it('are 575,668,224 B for 8,192 tokens of DeepSeek-V3', () =>
    expect(kvBytesPerSequence(presets['deepseek-v3'], 8192, 2)).toBe(575668224))
  it('stop growing in windowed layers at the window (gpt-oss-20b: 12 of 24 layers, 128 tokens)', () => {
    const perLayer = 2 * 8 * 64 * 2
    expect(kvBytesPerSequence(presets['gpt-oss-20b'], 4096, 2)).toBe(12 * perLayer * (4096 + 128))
  })
  it('read only what a sparse indexer picks, and its keys', () => {
    const context = 32768
    expect(kvBytesReadPerDecode(presets['deepseek-v3.2'], context, 1)).toBe(61 * (128 * context + 576 * 2048))
  })

  it('keep a window and one entry for 4 or 128 tokens in DeepSeek-V4-Flash', () => {
    const context = 4096
    const picked = (context / 4) * (512 + 128)
    const dense = (context / 128) * 512
    expect(kvBytesPerSequence(presets['deepseek-v4-flash'], context, 1)).toBe(43 * 128 * 512 + 21 * picked + 20 * dense)
    const read = 43 * 128 * 512 + 21 * (512 * 512 + (context / 4) * 128) + 20 * dense
    expect(kvBytesReadPerDecode(presets['deepseek-v4-flash'], context, 1)).toBe(read)
  })

  it('never shrink with context, and grow by at most the bytes of a token where no entry holds several', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...modelNames.filter((name) => !name.includes('v4'))),
        fc.integer({ min: 0, max: 200000 }),
        (name, context) => {
          const grown =
            kvBytesPerSequence(presets[name], context + 1, 2) - kvBytesPerSequence(presets[name], context, 2)
          expect(grown).toBeGreaterThanOrEqual(0)
          expect(grown).toBeLessThanOrEqual(kvBytesPerToken(presets[name], 2))
        },
      ),
    ))
})

describe('recurrent state', () => {
  it('of Qwen3.6-35B-A3B is 62.9 MB in fp32 and 2 MB of convolution', () => {
    const state = recurrentStateBytes(presets['qwen3.5-35b-a3b'])
    expect(state.recurrent).toBe(62914560)
    expect(state.convolution).toBe(1966080)
    expect(state.total).toBe(62914560 + 1966080)
  })
  it('is nothing without linear attention', () => expect(recurrentStateBytes(presets['llama-3.1-8b']).total).toBe(0))
})
