import type { Architecture } from '../architecture.ts'
import type { Attention } from '../layers/attention.ts'

/** Cached elements per token of one layer: what it stores. 0 for linear attention and for layers that reuse KV. */
export const kvElementsStored = (attention: Attention): number => {
  if (attention.kind === 'linear') return 0
  if (attention.kind === 'latent')
    return attention.kvRank + attention.ropeHeadDim + (attention.indexer === undefined ? 0 : attention.indexer.headDim)
  return attention.reusesKv === true ? 0 : kvElementsRead(attention)
}

/** Cached elements per context token that one layer reads when it decodes; sharing KV saves storage, not reads. */
export const kvElementsRead = (attention: Attention): number => {
  if (attention.kind === 'linear' || attention.kind === 'latent') return kvElementsStored(attention)
  if (attention.valuesAreKeys === true) return attention.kvHeads * attention.headDim
  return attention.kvHeads * (attention.headDim + (attention.valueHeadDim ?? attention.headDim))
}

/** Tokens that stay cached in this layer after `contextTokens`: all, or at most its window. */
export const cachedTokens = (attention: Attention, contextTokens: number): number =>
  attention.kind === 'sliding-window' || attention.kind === 'chunked'
    ? Math.min(contextTokens, attention.windowTokens)
    : contextTokens

/** KV bytes that one token adds, over all layers, while no window is full. Formula M12: `2 L K H` elements. */
export const kvBytesPerToken = (architecture: Architecture, bytesPerElement: number): number =>
  architecture.layers.reduce((total, layer) => total + kvElementsStored(layer.attention), 0) * bytesPerElement

/** KV bytes of one sequence of `contextTokens`, each windowed layer capped at its window. Formulas M12 and I6. */
export const kvBytesPerSequence = (
  architecture: Architecture,
  contextTokens: number,
  bytesPerElement: number,
): number =>
  architecture.layers.reduce(
    (total, { attention }) => total + kvElementsStored(attention) * cachedTokens(attention, contextTokens),
    0,
  ) * bytesPerElement

/** KV bytes that one sequence of `contextTokens` reads to decode one token: what `kvBytesPerSequence` is to storage. */
export const kvBytesReadPerDecode = (
  architecture: Architecture,
  contextTokens: number,
  bytesPerElement: number,
): number =>
  architecture.layers.reduce((total, { attention }) => total + readElements(attention, contextTokens), 0) *
  bytesPerElement

const readElements = (attention: Attention, contextTokens: number): number => {
  if (attention.kind !== 'latent' || attention.indexer === undefined)
    return kvElementsRead(attention) * cachedTokens(attention, contextTokens)
  const { headDim, topTokens } = attention.indexer
  return headDim * contextTokens + (attention.kvRank + attention.ropeHeadDim) * Math.min(contextTokens, topTokens)
}
