import { requirePositive, requireShare } from '../costInputError.ts'
import { mathSeconds, moveSeconds } from '../rooflines/time.ts'
import { forwardFlops } from '../transformer/transformer.ts'

/** Step time of a slice whose memory is full, whatever its chips: HBM/W; 19.5 ms on v5e. Book ch. 8, S4. */
export function fullMemoryStepSeconds(inputs: { hbmBytesPerChip: number; hbmBytesPerSecond: number }): number {
  const { hbmBytesPerChip, hbmBytesPerSecond } = inputs
  requirePositive('fullMemoryStepSeconds', { hbmBytesPerChip, hbmBytesPerSecond })
  return moveSeconds(hbmBytesPerChip, hbmBytesPerSecond)
}

/** Seconds to decode `outputTokens` tokens at one step each. */
export function decodeSeconds(inputs: { stepSeconds: number; outputTokens: number }): number {
  const { stepSeconds, outputTokens } = inputs
  requirePositive('decodeSeconds', { stepSeconds, outputTokens })
  return stepSeconds * outputTokens
}

/** Requests per second of a slice that decodes a steady batch, and per chip: B/(T_step x output tokens). Book ch. 8, S5. */
export function requestRate(inputs: { batch: number; stepSeconds: number; outputTokens: number; chips: number }): {
  requestsPerSecond: number
  requestsPerSecondPerChip: number
} {
  const { batch, stepSeconds, outputTokens, chips } = inputs
  requirePositive('requestRate', { batch, stepSeconds, outputTokens, chips })
  const requestsPerSecond = batch / decodeSeconds(inputs)
  return { requestsPerSecond, requestsPerSecondPerChip: requestsPerSecond / chips }
}

/** Seconds to prefill `tokens` tokens: 2 params tokens/(chips C MFU). Attention over the context left out. S7. */
export function prefillSeconds(inputs: {
  activatedParams: number
  tokens: number
  chips: number
  peakFlopsPerSecond: number
  /** Model FLOPs utilisation, above 0 and at most 1. */
  utilisation: number
}): number {
  const { activatedParams, tokens, chips, peakFlopsPerSecond, utilisation } = inputs
  requirePositive('prefillSeconds', { chips, peakFlopsPerSecond })
  requireShare('prefillSeconds', { utilisation })
  return mathSeconds(forwardFlops({ activatedParams, tokens }), chips * peakFlopsPerSecond * utilisation)
}

/**
 * What leaves a steady batch each step when every sequence has the same prompt P and output G: B/G sequences, with
 * B(P+G)/G tokens of cache. As many have to be prefilled. Book ch. 8, S8.
 */
export function cacheTurnover(inputs: { batch: number; promptTokens: number; outputTokens: number }): {
  sequencesPerStep: number
  cacheTokensPerStep: number
} {
  const { batch, promptTokens, outputTokens } = inputs
  requirePositive('cacheTurnover', { batch, promptTokens, outputTokens })
  const sequencesPerStep = batch / outputTokens
  return { sequencesPerStep, cacheTokensPerStep: sequencesPerStep * (promptTokens + outputTokens) }
}

/**
 * Prefill servers for each generate server in a disaggregated system, so that neither waits:
 * P/G = T_prefill B/(T_step x output tokens); 3 means three prefill to one generate. Book ch. 8, S9.
 */
export function prefillToGenerateRatio(inputs: {
  /** Seconds of one prefill on one prefill server, which takes one request at a time. */
  prefillSeconds: number
  /** Sequences a generate server decodes together. */
  batch: number
  stepSeconds: number
  outputTokens: number
}): number {
  const { prefillSeconds, batch, stepSeconds, outputTokens } = inputs
  requirePositive('prefillToGenerateRatio', { prefillSeconds, batch, stepSeconds, outputTokens })
  return (prefillSeconds * batch) / decodeSeconds(inputs)
}
