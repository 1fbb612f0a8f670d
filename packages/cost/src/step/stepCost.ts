/**
 * What one forward pass of a serving engine computes. Reused and filled anew by the engine for every step, so that no
 * step allocates. Token counts are whole numbers.
 */
export interface StepBatch {
  /** Prefill chunks in this step: chunk i computes `chunkTokens[i]` new tokens after `chunkContext[i]` earlier ones. */
  chunkCount: number
  chunkTokens: number[]
  chunkContext: number[]
  /** How many of the chunks end their prompt, and so sample a token. */
  chunkSamples: number
  /** Sequences that decode one token in this step. */
  decodeSequences: number
  /** Sum over decoding sequences of the KV entries they attend to, the new token included. */
  decodeContextTokens: number
  /** The same sum with every sequence cut at the model's attention window; equal to `decodeContextTokens` without one. */
  decodeWindowTokens: number
}

export const emptyBatch = (): StepBatch => ({
  chunkCount: 0,
  chunkTokens: [],
  chunkContext: [],
  chunkSamples: 0,
  decodeSequences: 0,
  decodeContextTokens: 0,
  decodeWindowTokens: 0,
})

/**
 * The cost of a pure decode step as an affine piece:
 * `seconds = baseSeconds + slopeSeconds * contextTokens + windowSlopeSeconds * windowTokens`, for context sums from the
 * one asked for up to and including `validUntilContextTokens`.
 */
export interface DecodePiece {
  baseSeconds: number
  /** Seconds per token of the context sum (full-attention layers). */
  slopeSeconds: number
  /** Seconds per token of the windowed context sum (sliding-window layers); 0 without them. */
  windowSlopeSeconds: number
  /** Largest context sum for which the piece holds; Infinity where it holds for all. */
  validUntilContextTokens: number
}

/** Where the time of a step goes, in seconds. The parts sum to the step. */
export interface StepBreakdown {
  weights: number
  kv: number
  compute: number
  collectives: number
  host: number
}

/** The step time of one replica: model, accelerators, layout and dtypes are bound at construction. Pure. */
export interface StepCost {
  /** Registry name of the backend: roofline, calibrated, measured, linear. */
  readonly backend: string
  /** Sentences that say where these figures extrapolate beyond what was measured; empty where they do not. */
  readonly extrapolations: readonly string[]
  /** Duration of the step in seconds, > 0 for a batch that is not empty. */
  seconds(batch: StepBatch): number
  /** The affine piece for `sequences` decoding (>= 1) at a context sum; written into `into`, memoised by `sequences`. */
  decodePiece(sequences: number, contextTokens: number, into: DecodePiece): DecodePiece
  breakdown(batch: StepBatch): StepBreakdown
}
