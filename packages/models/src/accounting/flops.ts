import type { Architecture } from '../architecture.ts'
import type { Attention } from '../layers/attention.ts'
import { attentionPairs } from './attentionPairs.ts'
import { latentWidth } from './kv.ts'
import { parameterCounts } from './parameters.ts'

/** Forward FLOPs of the weights for one token: 2 per activated parameter, unembedding included (formulas M7, M9). */
export const weightFlopsPerToken = (architecture: Architecture): number =>
  2 * parameterCounts(architecture).activatedInMatmuls

/** FLOPs of one query-key pair in one layer: scores and weighted values, all heads (`4 N H` for plain heads, M5). */
export const flopsPerPair = (attention: Attention): number => {
  switch (attention.kind) {
    case 'linear':
      return 0
    case 'latent': // expanded keys and values, as in prefill; a compressed cache is attended to as it is
      if (attention.compressedCache !== undefined) return 4 * attention.queryHeads * latentWidth(attention)
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
