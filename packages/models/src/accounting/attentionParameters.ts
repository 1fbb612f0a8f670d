import type {
  Attention,
  CompressedCache,
  GroupedAttention,
  LatentAttention,
  LinearAttention,
} from '../layers/attention.ts'

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
