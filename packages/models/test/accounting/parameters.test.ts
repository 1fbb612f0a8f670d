import { describe, expect, it } from 'vitest'
import {
  attentionParameters,
  denseMlpParameters,
  expertParameters,
  parameterCounts,
  presets,
  sharedExpertParameters,
} from '../../src/index.ts'

describe('parameters of one layer, by hand', () => {
  it('of grouped queries are 2 D (N + K) H', () => {
    const gqa = attentionParameters({ kind: 'full', queryHeads: 64, kvHeads: 8, headDim: 128 }, 8192)
    expect(gqa).toBe(2 * 8192 * (64 + 8) * 128)
  })

  it('gain a bias, a gate, a norm or sinks where the layer has them', () => {
    const heads = { kind: 'full', queryHeads: 4, kvHeads: 2, headDim: 8 } as const
    const plain = attentionParameters(heads, 16)
    expect(plain).toBe(16 * 32 + 2 * 16 * 16 + 32 * 16)
    expect(attentionParameters({ ...heads, qkvBias: true }, 16) - plain).toBe(32 + 16 + 16)
    expect(attentionParameters({ ...heads, outputBias: true }, 16) - plain).toBe(16)
    expect(attentionParameters({ ...heads, qkNorm: 'per-head' }, 16) - plain).toBe(16)
    expect(attentionParameters({ ...heads, qkNorm: 'all-heads' }, 16) - plain).toBe(32 + 16)
    expect(attentionParameters({ ...heads, outputGate: true }, 16) - plain).toBe(16 * 32)
    expect(attentionParameters({ ...heads, sinks: true }, 16) - plain).toBe(4)
    expect(plain - attentionParameters({ ...heads, reusesKv: true }, 16)).toBe(2 * 16 * 16)
    expect(plain - attentionParameters({ ...heads, valuesAreKeys: true }, 16)).toBe(16 * 16)
  })

  it('of latent attention are its down and up projections, their norms and the output (DeepSeek V3)', () => {
    const attention = presets['deepseek-v3'].layers[0]!.attention
    const queries = 7168 * 1536 + 1536 + 1536 * 128 * 192
    const keysAndValues = 7168 * 576 + 512 + 512 * 128 * 256
    expect(attentionParameters(attention, 7168)).toBe(queries + keysAndValues + 128 * 128 * 7168)
  })

  it('of a gated delta layer are q, k, v, z, two scalars a head, the convolution and the output (Qwen 3.5)', () => {
    const attention = presets['qwen3.5-35b-a3b'].layers[0]!.attention
    const projections = 2048 * (2048 + 2048 + 4096 + 4096 + 2 * 32)
    expect(attentionParameters(attention, 2048)).toBe(projections + 8192 * 4 + 2 * 32 + 128 + 4096 * 2048)
  })

  it('of an MLP are 3 D F gated and 2 D F plain', () => {
    expect(denseMlpParameters({ kind: 'dense', intermediateSize: 28672, gated: true }, 8192)).toBe(3 * 8192 * 28672)
    expect(denseMlpParameters({ kind: 'dense', intermediateSize: 10, gated: false, bias: true }, 4)).toBe(80 + 14)
  })

  it('of a Qwen3-235B expert are 36 MiB of bf16', () => {
    const mlp = presets['qwen3-235b-a22b'].layers[0]!.mlp
    if (mlp.kind !== 'moe') throw new Error('expected experts')
    expect(2 * expertParameters(mlp, 4096)).toBe(37748736)
    expect(sharedExpertParameters(mlp, 4096)).toBe(0)
  })
})

describe('LLaMA-2 13B by component', () => {
  it('has 8.5 billion in its MLPs and 4.2 billion in attention', () => {
    const counts = parameterCounts(presets['llama-2-13b'])
    expect(counts.mlp).toBe(8493465600)
    expect(counts.attention).toBe(40 * 4 * 5120 * 5120)
    expect(counts.embedding + counts.unembedding).toBe(2 * 32000 * 5120)
    expect(counts.norms).toBe(81 * 5120)
  })
})
