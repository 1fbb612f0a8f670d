/** One measured decode step. */
export interface MeasuredDecodeStep {
  sequences: number
  /** Sum over the sequences of the KV entries they attend to. */
  contextTokens: number
  seconds: number
}

/** One measured step that computes a prompt, or a chunk of one, alone. */
export interface MeasuredPrefillStep {
  tokens: number
  /** Tokens computed before this chunk. */
  contextTokens: number
  seconds: number
}

/** A user's own table of step times for one model, layout and accelerator. */
export interface MeasuredSteps {
  decode: readonly MeasuredDecodeStep[]
  prefill: readonly MeasuredPrefillStep[]
}
