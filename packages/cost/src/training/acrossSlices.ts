import { requirePositive } from '../costInputError.ts'
import { mathSeconds, moveSeconds } from '../rooflines/time.ts'
import { type LayerTime, layerTime, layerWeightBytes, type TrainingVerdict, verdictOf } from './layer.ts'

/**
 * Backward pass of one layer with data parallelism between slices over the data-centre network: arithmetic 8BDF/(NC) over
 * all N chips, gradients 8DF/(M W_dcn) in bf16, M chips per slice each with W_dcn. Book ch. 5, T11.
 */
export function acrossSlicesBackward(inputs: {
  /** Tokens over all slices. */
  batchTokens: number
  dModel: number
  dFf: number
  slices: number
  chipsPerSlice: number
  peakFlopsPerSecond: number
  dcnBytesPerSecondPerChip: number
  bytesPerElement?: number
  /** Weights held over weights a token uses: E/k in a mixture of experts, 1 in a dense layer. */
  heldPerUsedWeight?: number
}): LayerTime {
  const { batchTokens, dModel, dFf, slices, chipsPerSlice, bytesPerElement = 2 } = inputs
  const { peakFlopsPerSecond, dcnBytesPerSecondPerChip } = inputs
  requirePositive('acrossSlicesBackward', { batchTokens, dModel, dFf, slices, chipsPerSlice, bytesPerElement })
  requirePositive('acrossSlicesBackward', { peakFlopsPerSecond, dcnBytesPerSecondPerChip })
  const math = mathSeconds((8 * batchTokens * dModel * dFf) / (slices * chipsPerSlice), peakFlopsPerSecond)
  const bytes = slices === 1 ? 0 : 2 * layerWeightBytes(inputs)
  return layerTime(math, moveSeconds(bytes, chipsPerSlice * dcnBytesPerSecondPerChip))
}

/**
 * Tokens per slice above which data parallelism over the data-centre network is compute-bound: C/W_dcn, per chip, per
 * slice or per pod alike. Book ch. 5, T11.
 */
export function minTokensPerSlice(inputs: { peakFlopsPerSecond: number; dcnBytesPerSecond: number }): number {
  const { peakFlopsPerSecond, dcnBytesPerSecond } = inputs
  requirePositive('minTokensPerSlice', { peakFlopsPerSecond, dcnBytesPerSecond })
  return peakFlopsPerSecond / dcnBytesPerSecond
}

/** Whether a batch over `slices` is above that threshold. Book ch. 5, T11. */
export function acrossSlicesRegime(inputs: { batchTokens: number; slices: number; minTokensPerSlice: number }): {
  tokensPerSlice: number
  verdict: TrainingVerdict
} {
  const { batchTokens, slices, minTokensPerSlice: threshold } = inputs
  requirePositive('acrossSlicesRegime', { batchTokens, slices, minTokensPerSlice: threshold })
  const tokensPerSlice = batchTokens / slices
  return { tokensPerSlice, verdict: verdictOf(tokensPerSlice > threshold) }
}
