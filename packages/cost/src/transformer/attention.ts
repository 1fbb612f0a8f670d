import { requirePositive } from '../costInputError.ts'
import type { MlpShape } from './mlp.ts'
import { mlpFlops } from './mlp.ts'
import { type Pass, passMultiplier } from './pass.ts'

export interface AttentionShape {
  dModel: number
  queryHeads: number
  /** Equal to `queryHeads` in multi-head attention, fewer in grouped-query, 1 in multi-query attention. */
  kvHeads: number
  headDim: number
}

/** Parameters of the four projections of one layer (Q, K, V, O): 2D(N+K)H; 4DNH with as many KV as query heads. M4. */
export function attentionProjectionParams(shape: AttentionShape): number {
  const { dModel, queryHeads, kvHeads, headDim } = shape
  requirePositive('attentionProjectionParams', { dModel, queryHeads, kvHeads, headDim })
  return 2 * dModel * (queryHeads + kvHeads) * headDim
}

/** FLOPs of the four projections of one layer over `tokens` tokens: 12BTD(N+K)H in training. Book ch. 4, M4. */
export function attentionProjectionFlops(inputs: AttentionShape & { tokens: number; pass: Pass }): number {
  requirePositive('attentionProjectionFlops', { tokens: inputs.tokens })
  return 2 * attentionProjectionParams(inputs) * inputs.tokens * passMultiplier(inputs.pass)
}

/**
 * FLOPs of dot-product attention of one layer (QK^T and AV): 4BTSNH forward, 12BTSNH in training; half of it where a
 * causal mask is used by the kernel to skip work (self-attention only). Book ch. 4, M5.
 */
export function dotProductAttentionFlops(inputs: {
  sequences: number
  queryTokens: number
  keyTokens: number
  queryHeads: number
  headDim: number
  causal: boolean
  pass: Pass
}): number {
  const { sequences, queryTokens, keyTokens, queryHeads, headDim, causal, pass } = inputs
  requirePositive('dotProductAttentionFlops', { sequences, queryTokens, keyTokens, queryHeads, headDim })
  const forward = 4 * sequences * queryTokens * keyTokens * queryHeads * headDim
  return (forward * passMultiplier(pass)) / (causal ? 2 : 1)
}

/**
 * FLOPs of dot-product attention over those of the matmuls (MLP and projections) of a layer at one context length:
 * `12T NH / (18DF + 12D(N+K)H)` for a gated MLP. No causal halving. Book ch. 4, M8.
 */
export function attentionToMatmulRatio(inputs: AttentionShape & MlpShape & { contextTokens: number }): number {
  const { contextTokens, queryHeads, headDim } = inputs
  const perToken = dotProductAttentionFlops({
    sequences: 1,
    queryTokens: 1,
    keyTokens: contextTokens,
    queryHeads,
    headDim,
    causal: false,
    pass: 'training',
  })
  return perToken / matmulFlopsPerToken(inputs)
}

/** Context length in tokens at which dot-product attention costs as many FLOPs as the matmuls. Book ch. 4, M8. */
export const attentionEqualsMatmulTokens = (inputs: AttentionShape & MlpShape): number =>
  1 / attentionToMatmulRatio({ ...inputs, contextTokens: 1 })

/** Context length in tokens at which dot-product attention costs as many FLOPs as the four projections: (N+K)D/N. M8. */
export function attentionEqualsProjectionsTokens(shape: AttentionShape): number {
  const projections = attentionProjectionFlops({ ...shape, tokens: 1, pass: 'training' })
  return projections / (12 * shape.queryHeads * shape.headDim)
}

/** The rule of thumb of M8 for F=4D, NH=D, and as many KV as query heads: T/(8D). Book ch. 4, M8. */
export function attentionToMatmulRule(inputs: { contextTokens: number; dModel: number }): number {
  const { contextTokens, dModel } = inputs
  requirePositive('attentionToMatmulRule', { contextTokens, dModel })
  return contextTokens / (8 * dModel)
}

const matmulFlopsPerToken = (inputs: AttentionShape & MlpShape): number =>
  mlpFlops({ ...inputs, tokens: 1, pass: 'training' }) +
  attentionProjectionFlops({ ...inputs, tokens: 1, pass: 'training' })

/**
 * Arithmetic intensity (FLOP/B) of grouped attention that reads Q, K, V and writes the output once, with `G` query heads
 * per KV head: `4BTSKGH / (b(2BTKGH + 2BSKH))`, which in bf16 is `TSG/(TG+S)`. In prefill (S=T) that is `TG/(G+1)`, in
 * decode (T=1) `SG/(S+G)`, at most G. With G=1 it is I5: `ST/(S+T)`. Book ch. 4, M13; ch. 7, I5.
 */
export function attentionIntensity(inputs: {
  queryTokens: number
  keyTokens: number
  /** Query heads per KV head, G = N/K. */
  queryHeadsPerKvHead: number
  /** Bytes per element of Q, K, V and the output; 2 in the book. */
  bytesPerElement?: number
}): number {
  const { queryTokens, keyTokens, queryHeadsPerKvHead, bytesPerElement = 2 } = inputs
  requirePositive('attentionIntensity', { queryTokens, keyTokens, queryHeadsPerKvHead, bytesPerElement })
  const flops = 4 * queryTokens * keyTokens * queryHeadsPerKvHead
  return flops / (2 * bytesPerElement * (queryTokens * queryHeadsPerKvHead + keyTokens))
}

/** What that intensity tends to in decode as the context grows: G in bf16, 2G/b with b bytes per element. M13. */
export function decodeAttentionIntensityLimit(inputs: {
  queryHeadsPerKvHead: number
  bytesPerElement?: number
}): number {
  const { queryHeadsPerKvHead, bytesPerElement = 2 } = inputs
  requirePositive('decodeAttentionIntensityLimit', { queryHeadsPerKvHead, bytesPerElement })
  return (2 * queryHeadsPerKvHead) / bytesPerElement
}

/** FLOPs per layer recomputed when only the seven big matmul outputs are kept: QK^T and AV, 4BT^2NH. Book ch. 4, M14. */
export function matmulCheckpointRecomputeFlops(inputs: {
  sequences: number
  tokensPerSequence: number
  queryHeads: number
  headDim: number
}): number {
  const { sequences, tokensPerSequence, queryHeads, headDim } = inputs
  return dotProductAttentionFlops({
    sequences,
    queryTokens: tokensPerSequence,
    keyTokens: tokensPerSequence,
    queryHeads,
    headDim,
    causal: false,
    pass: 'forward',
  })
}
