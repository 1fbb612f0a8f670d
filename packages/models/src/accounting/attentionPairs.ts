import type { Attention, CompressedCache, LatentAttention } from '../layers/attention.ts'
import { cachedTokens } from './kv.ts'

/**
 * Query-key pairs when `newTokens` follow `contextTokens` earlier ones. Causal: token i of the new ones sees the context
 * and i + 1 new ones, cut at the window. Not causal: `newTokens * (contextTokens + newTokens)`, as the book counts (M5).
 */
export const attentionPairs = (
  attention: Attention,
  newTokens: number,
  contextTokens: number,
  causal = true,
): number => {
  if (attention.kind === 'linear' || newTokens === 0) return 0
  const last = contextTokens + newTokens
  if (!causal) return newTokens * cachedTokens(attention, last)
  if (attention.kind === 'latent' && attention.compressedCache !== undefined)
    return (
      compressedPairs(attention, attention.compressedCache, last) -
      compressedPairs(attention, attention.compressedCache, contextTokens)
    )
  const windowTokens = spanOf(attention)
  if (windowTokens === undefined) return newTokens * contextTokens + (newTokens * (newTokens + 1)) / 2
  if (attention.kind === 'chunked') return chunkedPairs(last, windowTokens) - chunkedPairs(contextTokens, windowTokens)
  return windowedPairs(last, windowTokens) - windowedPairs(contextTokens, windowTokens)
}

const spanOf = (attention: Attention): number | undefined => {
  if (attention.kind === 'sliding-window' || attention.kind === 'chunked') return attention.windowTokens
  return attention.kind === 'latent' ? attention.indexer?.topTokens : undefined
}

/** Sum over positions 1..n of min(position, window). */
const windowedPairs = (n: number, window: number): number =>
  n <= window ? (n * (n + 1)) / 2 : (window * (window + 1)) / 2 + (n - window) * window

/** Sum over positions 1..n of the position within its chunk. */
const chunkedPairs = (n: number, chunk: number): number => {
  const whole = Math.floor(n / chunk)
  const rest = n - whole * chunk
  return (whole * chunk * (chunk + 1)) / 2 + (rest * (rest + 1)) / 2
}

/** Entries seen by positions 1..n of a compressed cache: those of the window, and those before it up to the indexer's pick. */
const compressedPairs = (attention: LatentAttention, cache: CompressedCache, n: number): number => {
  const near = windowedPairs(n, cache.windowTokens)
  if (cache.tokensPerEntry === undefined) return near
  const top = attention.indexer?.topTokens ?? Number.POSITIVE_INFINITY
  return near + entryPairs(n, cache.tokensPerEntry, top)
}

/** Sum over positions 1..n of min(floor(position / ratio), top). */
const entryPairs = (n: number, ratio: number, top: number): number => {
  const free = Math.min(n, ratio * top)
  const whole = Math.floor(free / ratio)
  const rest = free - whole * ratio
  const growing = (ratio * whole * (whole - 1)) / 2 + whole * (rest + 1)
  return free === n ? growing : growing + (n - free) * top
}
