import { type Layer, layersBy } from '../../architecture.ts'
import type { GroupedAttention, HeadShape } from '../../layers/attention.ts'
import type { DenseMlp, Mlp, MoeMlp } from '../../layers/mlp.ts'
import { ConfigError } from '../configError.ts'
import type { ConfigFields } from '../configFields.ts'
import type { Shape } from './family.ts'

/** Head counts and width: `num_key_value_heads` defaults to all heads, `head_dim` to hidden / heads, as in the published code. */
export const readHeads = (fields: ConfigFields): HeadShape => {
  const queryHeads = fields.count('num_attention_heads')
  const kvHeads = fields.countOr('num_key_value_heads', queryHeads)
  if (queryHeads % kvHeads !== 0)
    throw new ConfigError(fields.path('num_key_value_heads'), `a divisor of ${queryHeads} heads`, kvHeads)
  return { queryHeads, kvHeads, headDim: readHeadDim(fields, queryHeads) }
}

const readHeadDim = (fields: ConfigFields, queryHeads: number): number => {
  const given = fields.optionalCount('head_dim')
  if (given !== undefined) return given
  const hidden = fields.count('hidden_size')
  if (hidden % queryHeads !== 0)
    throw new ConfigError(fields.path('head_dim'), `a value, as ${queryHeads} heads do not divide ${hidden}`, undefined)
  return fields.countOr('head_dim', hidden / queryHeads)
}

/** Gated MLP of `intermediate_size`, as all families with SwiGLU or GeGLU have it. */
export const readGatedMlp = (fields: ConfigFields): DenseMlp => ({
  kind: 'dense',
  intermediateSize: fields.count('intermediate_size'),
  gated: true,
})

/** The fields outside the blocks. Pass the family's own default of `tie_word_embeddings`. */
export const readOuter = (fields: ConfigFields, tiedByDefault: boolean): Omit<Shape, 'layers'> => ({
  hiddenSize: fields.count('hidden_size'),
  vocabSize: fields.count('vocab_size'),
  tiedEmbeddings: fields.flagOr('tie_word_embeddings', tiedByDefault),
  maxContextTokens: fields.count('max_position_embeddings'),
  norm: 'rms',
  normsPerLayer: 2,
})

/** Gated experts under the names of Mixtral, none shared. */
export const readLocalExperts = (fields: ConfigFields): MoeMlp => ({
  kind: 'moe',
  experts: fields.count('num_local_experts'),
  expertsPerToken: fields.count('num_experts_per_tok'),
  expertIntermediateSize: fields.count('intermediate_size'),
  gated: true,
  sharedExperts: 0,
})

export const full = (heads: HeadShape): GroupedAttention => ({ kind: 'full', ...heads })

/** A window, or full attention when there is none or it is at least as long as the context. */
export const windowed = (heads: HeadShape, windowTokens: number | undefined): GroupedAttention =>
  windowTokens === undefined ? full(heads) : { kind: 'sliding-window', windowTokens, ...heads }

const attentionWords = ['full_attention', 'sliding_attention'] as const

/**
 * Layers that share one MLP, each local or global: from `layer_types` where the file has them, else from `isLocal`.
 */
export const localGlobalLayers = (
  fields: ConfigFields,
  attention: { readonly local: GroupedAttention; readonly global: GroupedAttention },
  mlp: Mlp,
  isLocal: (index: number) => boolean,
): Layer[] => {
  const count = fields.layerCount()
  const words = fields.layerWords('layer_types', count, attentionWords)
  const local: Layer = { attention: attention.local, mlp }
  const global: Layer = { attention: attention.global, mlp }
  return layersBy(count, (index) => {
    const wanted = words === undefined ? isLocal(index) : words[index] === 'sliding_attention'
    return wanted ? local : global
  })
}
