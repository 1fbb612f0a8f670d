import { type Layer, layersBy } from '../../architecture.ts'
import type { CompressedCache, Indexer, LatentAttention } from '../../layers/attention.ts'
import { ConfigError } from '../configError.ts'
import type { ConfigFields } from '../configFields.ts'
import { readOuter } from './common.ts'
import { readRoutedExperts } from './deepseek.ts'
import type { Family } from './family.ts'

const PICKED = 4
const DENSE = 128

/** `compress_ratios`: 0 a window only, 4 entries picked by the indexer, 128 entries that all are seen. */
const readRatios = (fields: ConfigFields, count: number): readonly number[] => {
  const found = fields.list('compress_ratios')
  if (found === undefined || found.length < count)
    throw new ConfigError(fields.path('compress_ratios'), `a list of at least ${count} entries, one a layer`, found)
  return found.slice(0, count).map((ratio, index) => {
    if (ratio === 0 || ratio === PICKED || ratio === DENSE) return ratio
    throw new ConfigError(`${fields.path('compress_ratios')}[${index}]`, `0, ${PICKED} or ${DENSE}`, ratio)
  })
}

const readIndexer = (fields: ConfigFields): Indexer => ({
  heads: fields.count('index_n_heads'),
  headDim: fields.count('index_head_dim'),
  topTokens: fields.count('index_topk'),
})

const readLatent = (fields: ConfigFields, cache: CompressedCache): LatentAttention => {
  fields.require('num_key_value_heads', [1], '1: one cached vector for all heads')
  fields.require('attention_bias', [false], 'false: biases of this family are not known')
  const width = fields.count('head_dim')
  const ropeHeadDim = fields.count('qk_rope_head_dim')
  if (ropeHeadDim >= width) throw new ConfigError(fields.path('qk_rope_head_dim'), `less than ${width}`, ropeHeadDim)
  return {
    kind: 'latent',
    queryHeads: fields.count('num_attention_heads'),
    queryRank: fields.count('q_lora_rank'),
    kvRank: width - ropeHeadDim,
    ropeHeadDim,
    nopeHeadDim: width - ropeHeadDim,
    valueHeadDim: width,
    compressedCache: cache,
  }
}

const readLayers = (fields: ConfigFields): Layer[] => {
  const count = fields.layerCount()
  const mlp = readRoutedExperts(fields, true)
  const base = {
    windowTokens: fields.count('sliding_window'),
    outputGroups: fields.count('o_groups'),
    outputRank: fields.count('o_lora_rank'),
  }
  const layers = new Map<number, Layer>([
    [0, { attention: readLatent(fields, base), mlp }],
    [
      PICKED,
      {
        attention: {
          ...readLatent(fields, { ...base, tokensPerEntry: PICKED, overlap: true }),
          indexer: readIndexer(fields),
        },
        mlp,
      },
    ],
    [DENSE, { attention: readLatent(fields, { ...base, tokensPerEntry: DENSE }), mlp }],
  ])
  const ratios = readRatios(fields, count)
  return layersBy(count, (index) => layers.get(ratios[index]!)!)
}

/** DeepSeek V4: compressed caches, experts in all layers, `hc_mult` residual streams mixed before and after sublayers. */
export const deepseekV4: Family = {
  modelTypes: ['deepseek_v4'],
  read: (fields) => {
    const layers = readLayers(fields)
    const outer = readOuter(fields, false)
    const streams = fields.count('hc_mult')
    const rows = streams * (2 + streams)
    const width = streams * outer.hiddenSize
    const mixers = layers.length * 2 * (rows * width + rows + 3) + streams * width + streams + 1
    for (const name of ['num_hash_layers', 'intermediate_size', 'kv_lora_rank', 'qk_nope_head_dim']) fields.value(name)
    return { ...outer, layers, extras: [{ name: 'hyper-connections', parameters: mixers, activated: true }] }
  },
}
