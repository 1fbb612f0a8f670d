import type { LatentAttention, LayerShape } from '@windtunnel/models'
import { keyValueHeadsPerRank } from './layout.ts'

/** Softmax attention of one layer on one rank. */
export interface AttentionWork {
  kind: 'grouped' | 'latent'
  heads: number
  /** FLOPs per pair of a new token and one it sees, all heads of the rank; a decode step over the compressed KV of latent attention does more of them. */
  prefillFlopsPerPair: number
  decodeFlopsPerPair: number
  /** KV bytes read per token seen within the window. */
  windowBytesPerToken: number
  /** KV bytes read per token of the whole context (the keys of a sparse indexer, or all of it without a window). */
  contextBytesPerToken: number
  /** Bytes of queries read and outputs written per new token. */
  queryBytesPerToken: number
  /** Tokens a new token sees at most; undefined where it sees all. */
  windowTokens: number | undefined
}

/** Attention of one layer cut for one of `tp` ranks; undefined for recurrent mixers. */
export function attentionWork(shape: LayerShape, tp: number, keyValueBytes: number): AttentionWork | undefined {
  const { attention } = shape
  if (attention.kind === 'linear') return undefined
  if (attention.kind === 'latent') return latentWork(attention, tp, keyValueBytes)
  const heads = shape.queryHeads / tp
  const bytesPerToken = (shape.kvElementsRead / shape.kvHeads) * keyValueHeadsPerRank(shape.kvHeads, tp) * keyValueBytes
  const flopsPerPair = 2 * heads * (shape.headDim + shape.valueHeadDim)
  return {
    kind: 'grouped',
    heads,
    prefillFlopsPerPair: flopsPerPair,
    decodeFlopsPerPair: flopsPerPair,
    windowBytesPerToken: bytesPerToken,
    contextBytesPerToken: shape.windowTokens === undefined ? bytesPerToken : 0,
    queryBytesPerToken: 2 * heads * (shape.headDim + shape.valueHeadDim),
    windowTokens: shape.windowTokens,
  }
}

/** Decode multiplies queries with the compressed KV itself; prefill expands it to heads first. */
function latentWork(attention: LatentAttention, tp: number, keyValueBytes: number): AttentionWork {
  const heads = attention.queryHeads / tp
  const compressed = attention.kvRank + attention.ropeHeadDim
  const bytesPerToken = compressed * keyValueBytes
  const { indexer } = attention
  return {
    kind: 'latent',
    heads,
    prefillFlopsPerPair: 2 * heads * (attention.nopeHeadDim + attention.ropeHeadDim + attention.valueHeadDim),
    decodeFlopsPerPair: 2 * heads * (compressed + attention.kvRank),
    windowBytesPerToken: bytesPerToken,
    contextBytesPerToken: indexer === undefined ? bytesPerToken : indexer.headDim * keyValueBytes,
    queryBytesPerToken: 2 * heads * (compressed + attention.kvRank),
    windowTokens: indexer?.topTokens,
  }
}
