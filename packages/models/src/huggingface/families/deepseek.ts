import { type Layer, layersBy } from '../../architecture.ts'
import type { LatentAttention } from '../../layers/attention.ts'
import type { MoeMlp } from '../../layers/mlp.ts'
import type { ConfigFields } from '../configFields.ts'
import { readGatedMlp, readOuter } from './common.ts'
import type { Family } from './family.ts'

/** Latent attention; `q_lora_rank` null means queries are projected directly, `index_topk` a sparse indexer. */
const readLatent = (fields: ConfigFields): LatentAttention => {
  const queryRank = fields.optionalCount('q_lora_rank')
  fields.value('num_key_value_heads')
  fields.require('attention_bias', [false], 'false: biases of latent attention are not known')
  return {
    kind: 'latent',
    queryHeads: fields.count('num_attention_heads'),
    ...(queryRank === undefined ? {} : { queryRank }),
    kvRank: fields.count('kv_lora_rank'),
    ropeHeadDim: fields.count('qk_rope_head_dim'),
    nopeHeadDim: fields.count('qk_nope_head_dim'),
    valueHeadDim: fields.count('v_head_dim'),
    ...(fields.has('index_topk')
      ? {
          indexer: {
            heads: fields.count('index_n_heads'),
            headDim: fields.count('index_head_dim'),
            topTokens: fields.count('index_topk'),
          },
        }
      : {}),
  }
}

/** Routed experts with `n_shared_experts` of the same size beside them. */
export const readRoutedExperts = (fields: ConfigFields, routerBias: boolean): MoeMlp => {
  const size = fields.count('moe_intermediate_size')
  const shared = fields.optionalCount('n_shared_experts', 0) ?? 0
  return {
    kind: 'moe',
    experts: fields.count('n_routed_experts'),
    expertsPerToken: fields.count('num_experts_per_tok'),
    expertIntermediateSize: size,
    gated: true,
    sharedExperts: shared,
    ...(shared > 0 ? { sharedExpertIntermediateSize: size } : {}),
    ...(routerBias ? { routerBias: true } : {}),
  }
}

/** The first `first_k_dense_replace` layers are dense, the others have experts. */
export const denseThenSparse = (fields: ConfigFields, attention: Layer['attention'], moe: MoeMlp): Layer[] => {
  const count = fields.layerCount()
  const denseLayers = fields.countOr('first_k_dense_replace', 0, 0)
  fields.require('moe_layer_freq', [1], '1: experts in every layer after the dense ones')
  const sparse: Layer = { attention, mlp: moe }
  if (denseLayers === 0) return layersBy(count, () => sparse)
  const dense: Layer = { attention, mlp: readGatedMlp(fields) }
  return layersBy(count, (index) => (index < denseLayers ? dense : sparse))
}

const unread = ['intermediate_size', 'head_dim', 'qk_head_dim', 'mlp_layer_types', 'indexer_types']

const family = (modelTypes: readonly string[], routerBias: boolean): Family => ({
  modelTypes,
  read: (fields) => {
    const layers = denseThenSparse(fields, readLatent(fields), readRoutedExperts(fields, routerBias))
    for (const name of unread) fields.value(name)
    return { ...readOuter(fields, false), layers }
  },
})

export const deepseekV2 = family(['deepseek_v2'], false)
/** DeepSeek V3 and models of the same form: Kimi K2, DeepSeek V3.2, GLM-5. */
export const deepseekV3 = family(['deepseek_v3', 'deepseek_v32', 'kimi_k2', 'glm_moe_dsa'], true)
