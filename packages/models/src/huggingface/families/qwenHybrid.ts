import { type Layer, layersBy } from '../../architecture.ts'
import type { FullAttention, LinearAttention } from '../../layers/attention.ts'
import type { ConfigFields } from '../configFields.ts'
import { readGatedMlp, readHeads, readOuter } from './common.ts'
import type { Family } from './family.ts'
import { readQwenExperts } from './qwen.ts'

const words = ['linear_attention', 'full_attention'] as const

const readLinear = (fields: ConfigFields): LinearAttention => ({
  kind: 'linear',
  form: 'gated-delta',
  keyHeads: fields.count('linear_num_key_heads'),
  valueHeads: fields.count('linear_num_value_heads'),
  keyHeadDim: fields.count('linear_key_head_dim'),
  valueHeadDim: fields.count('linear_value_head_dim'),
  convKernel: fields.count('linear_conv_kernel_dim'),
})

const readFull = (fields: ConfigFields): FullAttention => {
  const gate = fields.flagOr('attn_output_gate', true)
  fields.require('attention_bias', [false], 'false: biases of this family are not known')
  return { kind: 'full', ...readHeads(fields), qkNorm: 'per-head', ...(gate ? { outputGate: true } : {}) }
}

/** Qwen3-Next, Qwen 3.5 and 3.6: gated delta layers with every `full_attention_interval`-th one full. */
export const qwenHybrid: Family = {
  modelTypes: ['qwen3_next', 'qwen3_5', 'qwen3_5_text', 'qwen3_5_moe', 'qwen3_5_moe_text'],
  read: (fields) => {
    const mlp = (fields.optionalCount('num_experts', 0) ?? 0) > 0 ? readQwenExperts(fields) : readGatedMlp(fields)
    fields.value('intermediate_size')
    fields.require('decoder_sparse_step', [1], '1: experts in every layer')
    fields.value('mlp_only_layers')
    const count = fields.layerCount()
    const interval = fields.countOr('full_attention_interval', 4)
    const types = fields.layerWords('layer_types', count, words)
    const linear: Layer = { attention: readLinear(fields), mlp }
    const full: Layer = { attention: readFull(fields), mlp }
    return {
      ...readOuter(fields, false),
      layers: layersBy(count, (index) => {
        const sees = types === undefined ? (index + 1) % interval === 0 : types[index] === 'full_attention'
        return sees ? full : linear
      }),
    }
  },
}
