import type { Architecture, Layer } from '../architecture.ts'
import type {
  Attention,
  CompressedCache,
  GroupedAttention,
  LatentAttention,
  LinearAttention,
} from '../layers/attention.ts'
import type { DenseMlp, Mlp, MoeMlp } from '../layers/mlp.ts'

/** Parameters by component; `total` is their sum. */
export interface ParameterCounts {
  readonly attention: number
  /** MLPs of dense layers. */
  readonly mlp: number
  /** Routed experts, all of them. */
  readonly experts: number
  readonly sharedExperts: number
  readonly routers: number
  readonly norms: number
  readonly embedding: number
  /** 0 when tied to the embedding. */
  readonly unembedding: number
  readonly extras: number
  readonly total: number
  /** Parameters one token uses: routed experts count `expertsPerToken` each, the embedding table counts whole. */
  readonly activated: number
  /** The same without the embedding table, of which a token reads one row; the unembedding counts even when tied. */
  readonly activatedInMatmuls: number
}

const groupedParameters = (a: GroupedAttention, hidden: number): number => {
  const valueDim = a.valueHeadDim ?? a.headDim
  const queries = a.queryHeads * a.headDim * (a.outputGate === true ? 2 : 1)
  const keys = a.reusesKv === true ? 0 : a.kvHeads * a.headDim
  const values = a.reusesKv === true || a.valuesAreKeys === true ? 0 : a.kvHeads * valueDim
  const matrices = hidden * (queries + keys + values) + a.queryHeads * valueDim * hidden
  const biases = (a.qkvBias === true ? queries + keys + values : 0) + (a.outputBias === true ? hidden : 0)
  return matrices + biases + qkNormParameters(a) + (a.sinks === true ? a.queryHeads : 0)
}

const qkNormParameters = (a: GroupedAttention): number => {
  if (a.qkNorm === undefined) return 0
  const keyNorms = a.reusesKv === true ? 0 : 1
  if (a.qkNorm === 'per-head') return (1 + keyNorms) * a.headDim
  return (a.queryHeads + keyNorms * a.kvHeads) * a.headDim
}

const latentParameters = (a: LatentAttention, hidden: number): number => {
  const queryWidth = a.queryHeads * (a.nopeHeadDim + a.ropeHeadDim)
  const queries =
    a.queryRank === undefined ? hidden * queryWidth : hidden * a.queryRank + a.queryRank + a.queryRank * queryWidth
  const compressed = hidden * (a.kvRank + a.ropeHeadDim) + a.kvRank
  if (a.compressedCache !== undefined) return queries + compressedCacheParameters(a, a.compressedCache, hidden)
  const expanded = a.kvRank * a.queryHeads * (a.nopeHeadDim + a.valueHeadDim)
  const output = a.queryHeads * a.valueHeadDim * hidden
  return queries + compressed + expanded + output + indexerParameters(a, hidden)
}

const compressorParameters = (cache: CompressedCache, width: number, hidden: number): number => {
  if (cache.tokensPerEntry === undefined) return 0
  const wide = cache.overlap === true ? 2 * width : width
  return 2 * hidden * wide + cache.tokensPerEntry * wide + width
}

/** The cached vector and its norm, sinks, the grouped low-rank output, and the compressors of vectors and indexer keys. */
const compressedCacheParameters = (a: LatentAttention, cache: CompressedCache, hidden: number): number => {
  const width = a.kvRank + a.ropeHeadDim
  const vector = hidden * width + width + a.queryHeads
  const output = a.queryHeads * a.valueHeadDim * cache.outputRank + cache.outputGroups * cache.outputRank * hidden
  const compressor = compressorParameters(cache, width, hidden)
  if (a.indexer === undefined) return vector + output + compressor
  const { heads, headDim } = a.indexer
  const scorer = (a.queryRank ?? hidden) * heads * headDim + hidden * heads
  return vector + output + compressor + scorer + compressorParameters(cache, headDim, hidden)
}

const indexerParameters = (a: LatentAttention, hidden: number): number => {
  if (a.indexer === undefined) return 0
  const { heads, headDim } = a.indexer
  return (a.queryRank ?? hidden) * heads * headDim + hidden * headDim + 2 * headDim + hidden * heads
}

const linearParameters = (a: LinearAttention, hidden: number): number => {
  const keys = a.keyHeads * a.keyHeadDim
  const values = a.valueHeads * a.valueHeadDim
  const conv = (2 * keys + values) * a.convKernel
  const output = values * hidden
  switch (a.form) {
    case 'gated-delta': // q, k, v, z; beta and alpha; convolution; A, dt bias; gated norm of one head
      return hidden * (2 * keys + 2 * values + 2 * a.valueHeads) + conv + 2 * a.valueHeads + a.valueHeadDim + output
    case 'kimi-delta': // q, k, v; low-rank decay and output gates; beta; convolutions; A, dt bias; norm of one head
      return (
        hidden * (2 * keys + values + 2 * a.valueHeadDim + a.valueHeads) +
        a.valueHeadDim * (keys + values) +
        conv +
        a.valueHeads +
        keys +
        a.valueHeadDim +
        output
      )
    case 'lightning': // q, k, v, output gate; norm of all heads
      return hidden * (2 * keys + 2 * values) + values + output
    case 'mamba2': // z, x, B, C, dt; convolution with bias; A, D, dt bias; gated norm
      return (
        hidden * (2 * keys + 2 * values + a.valueHeads) + conv + 2 * keys + values + 3 * a.valueHeads + values + output
      )
  }
}

/** Parameters of one layer's attention, its qk norms, biases and indexer included; formula M4 for plain heads. */
export const attentionParameters = (attention: Attention, hiddenSize: number): number => {
  switch (attention.kind) {
    case 'latent':
      return latentParameters(attention, hiddenSize)
    case 'linear':
      return linearParameters(attention, hiddenSize)
    default:
      return groupedParameters(attention, hiddenSize)
  }
}

const feedForward = (hidden: number, intermediate: number, gated: boolean, bias: boolean): number =>
  (gated ? 3 : 2) * hidden * intermediate + (bias ? (gated ? 2 : 1) * intermediate + hidden : 0)

/** Parameters of a dense MLP: `3DF` gated, `2DF` plain (formula M3), and biases. */
export const denseMlpParameters = (mlp: DenseMlp, hiddenSize: number): number =>
  feedForward(hiddenSize, mlp.intermediateSize, mlp.gated, mlp.bias === true)

/** Parameters of one routed expert. */
export const expertParameters = (mlp: MoeMlp, hiddenSize: number): number =>
  feedForward(hiddenSize, mlp.expertIntermediateSize, mlp.gated, mlp.expertBias === true)

/** Parameters of a layer's shared experts together, their gate included; 0 without. */
export const sharedExpertParameters = (mlp: MoeMlp, hiddenSize: number): number => {
  if (mlp.sharedExperts === 0) return 0
  const size = mlp.sharedExpertIntermediateSize ?? mlp.expertIntermediateSize
  return (
    mlp.sharedExperts * feedForward(hiddenSize, size, mlp.gated, mlp.expertBias === true) +
    (mlp.sharedExpertGate === true ? hiddenSize : 0)
  )
}

/** Parameters of a layer's router. */
export const routerParameters = (mlp: MoeMlp, hiddenSize: number): number =>
  hiddenSize * mlp.experts + (mlp.routerBias === true ? mlp.experts : 0)

/** Parameters of the norms of one block. */
export const layerNormParameters = (architecture: Architecture): number =>
  architecture.normsPerLayer * normParameters(architecture)

const normParameters = (architecture: Architecture): number =>
  (architecture.norm === 'layer' ? 2 : 1) * architecture.hiddenSize

/** Parameters of a layer's MLP: all of them, and those one token uses. */
export const mlpParameters = (mlp: Mlp, hiddenSize: number): { total: number; activated: number } => {
  if (mlp.kind === 'dense') {
    const total = denseMlpParameters(mlp, hiddenSize)
    return { total, activated: total }
  }
  const always = sharedExpertParameters(mlp, hiddenSize) + routerParameters(mlp, hiddenSize)
  const expert = expertParameters(mlp, hiddenSize)
  return { total: always + mlp.experts * expert, activated: always + mlp.expertsPerToken * expert }
}

const sum = (layers: readonly Layer[], of: (layer: Layer) => number): number =>
  layers.reduce((total, layer) => total + of(layer), 0)

const sumMoe = (layers: readonly Layer[], of: (mlp: MoeMlp) => number): number =>
  sum(layers, ({ mlp }) => (mlp.kind === 'moe' ? of(mlp) : 0))

/** Counts the parameters of a model by component. Formulas M3, M4, M6, M7, M9, with norms, biases and routers. */
export const parameterCounts = (architecture: Architecture): ParameterCounts => {
  const { hiddenSize, vocabSize, layers } = architecture
  const table = hiddenSize * vocabSize
  const attention = sum(layers, (layer) => attentionParameters(layer.attention, hiddenSize))
  const mlp = sum(layers, (layer) => (layer.mlp.kind === 'dense' ? denseMlpParameters(layer.mlp, hiddenSize) : 0))
  const experts = sumMoe(layers, (moe) => moe.experts * expertParameters(moe, hiddenSize))
  const idleExperts = sumMoe(layers, (moe) => (moe.experts - moe.expertsPerToken) * expertParameters(moe, hiddenSize))
  const sharedExperts = sumMoe(layers, (moe) => sharedExpertParameters(moe, hiddenSize))
  const routers = sumMoe(layers, (moe) => routerParameters(moe, hiddenSize))
  const norms = layers.length * layerNormParameters(architecture) + normParameters(architecture)
  const unembeddingBias = architecture.unembeddingBias === true ? vocabSize : 0
  const unembedding = (architecture.tiedEmbeddings ? 0 : table) + unembeddingBias
  const extras = (architecture.extras ?? []).reduce((total, extra) => total + extra.parameters, 0)
  const idleExtras = (architecture.extras ?? []).reduce((t, extra) => t + (extra.activated ? 0 : extra.parameters), 0)
  const total = attention + mlp + experts + sharedExperts + routers + norms + table + unembedding + extras
  const activated = total - idleExperts - idleExtras
  const activatedInMatmuls = activated - table + (architecture.tiedEmbeddings ? table : 0)
  return {
    attention,
    mlp,
    experts,
    sharedExperts,
    routers,
    norms,
    embedding: table,
    unembedding,
    extras,
    total,
    activated,
    activatedInMatmuls,
  }
}
