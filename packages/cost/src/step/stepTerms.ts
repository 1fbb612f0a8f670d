import type { StepBatch, StepBreakdown } from './stepCost.ts'

/**
 * Decode attention of a step as a function of the context sum: base + slope * context + windowSlope * window, plus
 * `beyondSeconds` once the context sum passes `thresholdContextTokens`.
 */
export interface DecodeAttention {
  baseSeconds: number
  slopeSeconds: number
  windowSlopeSeconds: number
  /** Infinity where there is no such step. */
  thresholdContextTokens: number
  beyondSeconds: number
}

/**
 * The terms of a step, split by what they depend on so that each can be memoised: tokens, samples, sequences, and the
 * chunks of a prefill. The accelerator's part is the sum of the first four; a step lasts
 * `max(accelerator, floorSeconds) + hostSeconds`.
 *
 * Terms given a `into` add to its parts, in seconds.
 */
export interface StepTerms {
  /** Matmuls, elementwise passes and collectives of `tokens` tokens on one sequence-parallel rank. */
  addTokens(tokens: number, into: StepBreakdown): void
  /** The output head for `samples` sequences, and whatever is done once per sampled token. */
  addSamples(samples: number, into: StepBreakdown): void
  decodeAttention(sequences: number): DecodeAttention
  /** Attention of the chunks. `alongDecode` says that decode attention runs in the same launch. */
  addPrefillAttention(batch: StepBatch, alongDecode: boolean, into: StepBreakdown): void
  /** Least duration of the accelerator's part of a step that has a prefill, seconds. */
  floorSeconds(tokens: number): number
  /** Time in which the accelerator waits for the host, seconds. */
  hostSeconds(samples: number, hasPrefill: boolean, hasDecode: boolean): number
  /** Ranks over which prefill tokens are split. */
  readonly sequenceParallelRanks: number
}

export const emptyBreakdown = (): StepBreakdown => ({ weights: 0, kv: 0, compute: 0, collectives: 0, host: 0 })

export const totalOf = (parts: StepBreakdown): number =>
  parts.weights + parts.kv + parts.compute + parts.collectives + parts.host
