import { type Layer, layersBy } from '../../architecture.ts'
import type { GroupedAttention, HeadShape } from '../../layers/attention.ts'
import type { MoeMlp } from '../../layers/mlp.ts'
import { ConfigError } from '../configError.ts'
import type { ConfigFields } from '../configFields.ts'
import { full, localGlobalLayers, readGatedMlp, readHeads, readOuter, windowed } from './common.ts'
import type { Family } from './family.ts'

/** With `use_sliding_window`, the layers from `max_window_layers` on have the window. */
const readAttention = (fields: ConfigFields, heads: HeadShape) => {
  const uses = fields.flagOr('use_sliding_window', false)
  const windowTokens = fields.optionalCount('sliding_window')
  const from = uses ? fields.count('max_window_layers', 0) : Number.POSITIVE_INFINITY
  const attention = { local: windowed(heads, uses ? windowTokens : undefined), global: full(heads) }
  return { attention, isLocal: (index: number) => index >= from }
}

const qwen2Heads = (fields: ConfigFields): HeadShape => ({ ...readHeads(fields), qkvBias: true })

const qwen3Heads = (fields: ConfigFields): HeadShape => ({
  ...readHeads(fields),
  qkNorm: 'per-head',
  ...(fields.flagOr('attention_bias', false) ? { qkvBias: true, outputBias: true } : {}),
})

const dense = (modelTypes: readonly string[], heads: (fields: ConfigFields) => HeadShape): Family => ({
  modelTypes,
  read: (fields) => {
    const { attention, isLocal } = readAttention(fields, heads(fields))
    return {
      ...readOuter(fields, false),
      layers: localGlobalLayers(fields, attention, readGatedMlp(fields), isLocal),
    }
  },
})

export const qwen2 = dense(['qwen2'], qwen2Heads)
export const qwen3 = dense(['qwen3'], qwen3Heads)

/** Experts in each `decoder_sparse_step`-th layer, but for those that `mlp_only_layers` lists. */
const isSparse = (fields: ConfigFields): ((index: number) => boolean) => {
  const step = fields.countOr('decoder_sparse_step', 1)
  const only = fields.list('mlp_only_layers') ?? []
  if (only.some((index) => typeof index !== 'number'))
    throw new ConfigError(fields.path('mlp_only_layers'), 'a list of layer numbers', only)
  return (index) => !only.includes(index) && (index + 1) % step === 0
}

export const readQwenExperts = (fields: ConfigFields): MoeMlp => {
  const sharedSize = fields.optionalCount('shared_expert_intermediate_size', 0) ?? 0
  return {
    kind: 'moe',
    experts: fields.count('num_experts'),
    expertsPerToken: fields.count('num_experts_per_tok'),
    expertIntermediateSize: fields.count('moe_intermediate_size'),
    gated: true,
    ...(sharedSize > 0
      ? { sharedExperts: 1, sharedExpertIntermediateSize: sharedSize, sharedExpertGate: true }
      : { sharedExperts: 0 }),
  }
}

const sparse = (modelTypes: readonly string[], heads: (fields: ConfigFields) => HeadShape): Family => ({
  modelTypes,
  read: (fields) => {
    const { attention, isLocal } = readAttention(fields, heads(fields))
    const sparseAt = isSparse(fields)
    const moe = readQwenExperts(fields)
    const count = fields.layerCount()
    const anyDense = Array.from({ length: count }, (_, index) => index).some((index) => !sparseAt(index))
    const mlp = anyDense ? readGatedMlp(fields) : moe
    fields.value('intermediate_size')
    const pick = sharedLayers((index) => ({
      attention: isLocal(index) ? attention.local : attention.global,
      mlp: sparseAt(index) ? moe : mlp,
    }))
    return { ...readOuter(fields, false), layers: layersBy(count, pick) }
  },
})

/** Gives equal layers one object. */
const sharedLayers = (of: (index: number) => { attention: GroupedAttention; mlp: Layer['mlp'] }) => {
  const seen: Layer[] = []
  return (index: number): Layer => {
    const { attention, mlp } = of(index)
    const found = seen.find((layer) => layer.attention === attention && layer.mlp === mlp)
    if (found !== undefined) return found
    const layer = { attention, mlp }
    seen.push(layer)
    return layer
  }
}

export const qwen2Moe = sparse(['qwen2_moe'], qwen2Heads)
export const qwen3Moe = sparse(['qwen3_moe'], qwen3Heads)
