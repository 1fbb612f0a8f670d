import type { Architecture } from '../architecture.ts'
import type { Attention, CompressedCache, LatentAttention } from '../layers/attention.ts'

/** Elements of the vector that latent attention caches: the compressed part and the rotary key. */
export const latentWidth = (attention: LatentAttention): number => attention.kvRank + attention.ropeHeadDim

/**
 * Cached elements per token of one layer: what it stores as the context grows. 0 for linear attention and for layers that
 * reuse KV. A compressed cache stores a fraction of an entry per token, beside the window that `kvBytesPerSequence` adds.
 */
export const kvElementsStored = (attention: Attention): number => {
  if (attention.kind === 'linear') return 0
  if (attention.kind === 'latent') {
    const entry = latentWidth(attention) + (attention.indexer?.headDim ?? 0)
    if (attention.compressedCache === undefined) return entry
    const { tokensPerEntry } = attention.compressedCache
    return tokensPerEntry === undefined ? 0 : entry / tokensPerEntry
  }
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

const compressedEntries = (cache: CompressedCache, contextTokens: number): number =>
  cache.tokensPerEntry === undefined ? 0 : Math.floor(contextTokens / cache.tokensPerEntry)

const storedElements = (attention: Attention, contextTokens: number): number => {
  if (attention.kind !== 'latent' || attention.compressedCache === undefined)
    return kvElementsStored(attention) * cachedTokens(attention, contextTokens)
  const entries = compressedEntries(attention.compressedCache, contextTokens)
  const window = Math.min(contextTokens, attention.compressedCache.windowTokens)
  return entries * (latentWidth(attention) + (attention.indexer?.headDim ?? 0)) + window * latentWidth(attention)
}

const readElements = (attention: Attention, contextTokens: number): number => {
  if (attention.kind !== 'latent') return kvElementsRead(attention) * cachedTokens(attention, contextTokens)
  const cache = attention.compressedCache
  const entries = cache === undefined ? contextTokens : compressedEntries(cache, contextTokens)
  const window = cache === undefined ? 0 : Math.min(contextTokens, cache.windowTokens)
  const { headDim = 0, topTokens = Number.POSITIVE_INFINITY } = attention.indexer ?? {}
  return headDim * entries + latentWidth(attention) * (Math.min(entries, topTokens) + window)
}

const overLayers = (architecture: Architecture, of: (attention: Attention) => number): number =>
  architecture.layers.reduce((total, { attention }) => total + of(attention), 0)

/** KV bytes that one token adds, over all layers, while no window is full. Formula M12: `2 L K H` elements. */
export const kvBytesPerToken = (architecture: Architecture, bytesPerElement: number): number =>
  overLayers(architecture, kvElementsStored) * bytesPerElement

/** Whether every token of a sequence, however long, adds the same: no layer has a window or a compressed cache. */
export const kvGrowsEvenly = ({ layers }: Architecture): boolean =>
  layers.every(
    ({ attention }) =>
      attention.kind !== 'sliding-window' &&
      attention.kind !== 'chunked' &&
      (attention.kind !== 'latent' || attention.compressedCache === undefined),
  )

/** KV bytes of one sequence of `contextTokens`, each windowed layer capped at its window. Formulas M12 and I6. */
export const kvBytesPerSequence = (
  architecture: Architecture,
  contextTokens: number,
  bytesPerElement: number,
): number => overLayers(architecture, (attention) => storedElements(attention, contextTokens)) * bytesPerElement

/** KV bytes that one sequence of `contextTokens` reads to decode one token: what `kvBytesPerSequence` is to storage. */
export const kvBytesReadPerDecode = (
  architecture: Architecture,
  contextTokens: number,
  bytesPerElement: number,
): number => overLayers(architecture, (attention) => readElements(attention, contextTokens)) * bytesPerElement
