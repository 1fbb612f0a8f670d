import type { Architecture } from '../architecture.ts'
import type { Attention } from '../layers/attention.ts'
import { cachedTokens } from './kv.ts'
import { parameterCounts } from './parameters.ts'

/** Forward FLOPs of the weights for one token: 2 per activated parameter, unembedding included (formulas M7, M9). */
export const weightFlopsPerToken = (architecture: Architecture): number =>
  2 * parameterCounts(architecture).activatedInMatmuls

/** FLOPs of one query-key pair in one layer: scores and weighted values, all heads (`4 N H` for plain heads, M5). */
export const flopsPerPair = (attention: Attention): number => {
  switch (attention.kind) {
    case 'linear':
      return 0
    case 'latent': // expanded keys and values, as in prefill
      return (
        2 * attention.queryHeads * (attention.nopeHeadDim + attention.ropeHeadDim) +
        2 * attention.queryHeads * attention.valueHeadDim
      )
    default:
      return 2 * attention.queryHeads * (attention.headDim + (attention.valueHeadDim ?? attention.headDim))
  }
}

/** FLOPs of the recurrence for one token in one layer: read, correct and update the state (2 per element each). */
export const recurrenceFlopsPerToken = (attention: Attention): number =>
  attention.kind === 'linear' ? 6 * attention.valueHeads * attention.keyHeadDim * attention.valueHeadDim : 0

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

/** Forward FLOPs of attention over the context (and of recurrences) in all layers, for one sequence. */
export const attentionFlops = (
  architecture: Architecture,
  newTokens: number,
  contextTokens = 0,
  causal = true,
): number =>
  architecture.layers.reduce(
    (total, { attention }) =>
      total +
      flopsPerPair(attention) * attentionPairs(attention, newTokens, contextTokens, causal) +
      recurrenceFlopsPerToken(attention) * newTokens,
    0,
  )

/** Forward FLOPs of one sequence: `newTokens` computed after `contextTokens` that are already cached. */
export const forwardFlops = (architecture: Architecture, newTokens: number, contextTokens = 0, causal = true): number =>
  weightFlopsPerToken(architecture) * newTokens + attentionFlops(architecture, newTokens, contextTokens, causal)

/** FLOPs of one training step on one sequence: forward and two backward matmuls for each (formula M2). */
export const trainingFlops = (architecture: Architecture, sequenceTokens: number, causal = true): number =>
  3 * forwardFlops(architecture, sequenceTokens, 0, causal)
