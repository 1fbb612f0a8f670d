/** Output tokens of one request beyond which the forecast does not look. */
export const FORECAST_CLIP_TOKENS = 4096

/** What follows from taking a request into a prefill batch, or from refusing it. */
export type Verdict =
  /** Others may follow. */
  | 'more'
  /** No memory is left: nobody is looked at until a running request leaves. */
  | 'full'
  /** The batch is complete. */
  | 'done'

/**
 * What is left of one prefill batch's limits while it is filled: memory (with the forecast of what running requests will
 * still need), prompt tokens of the batch, and the tokens at which a prompt is cut. All in tokens.
 */
export class PrefillBudget {
  private readonly pageTokens: number
  /** Tokens promised: to running requests by forecast, and to those taken into this batch. */
  private promised = 0
  private input = 0
  private chunk = 0
  private cuts = false

  constructor(pageTokens: number) {
    this.pageTokens = pageTokens
  }

  /** `chunkTokens` 0: prompts are not cut. `mixedTokens`: decode tokens that share the batch. */
  begin(promised: number, maxPrefillTokens: number, chunkTokens: number, mixedTokens: number): void {
    this.promised = promised
    this.input = maxPrefillTokens - mixedTokens
    this.cuts = chunkTokens > 0
    this.chunk = chunkTokens - mixedTokens
  }

  /** Memory left of `roomTokens` after all promises. */
  left(roomTokens: number): number {
    return roomTokens - this.promised
  }

  /** Tokens of the chunk that a cut prompt goes on with. A prompt in progress must go on, even over its promise. */
  nextChunk(restTokens: number, roomTokens: number): number {
    const limit = Math.min(this.chunk, Math.floor(this.left(roomTokens)))
    return Math.min(restTokens, limit > 0 ? limit : this.chunk)
  }

  /** Prompt tokens to compute now for a request that lacks `extend`, in whole pages when it is cut; undefined when the batch is complete. */
  share(extend: number, first: boolean): number | undefined {
    const whole = this.ceil(extend)
    if (!this.cuts) return !first && whole >= this.input ? undefined : extend
    if (whole <= this.chunk) return extend
    const cut = Math.floor(this.chunk / this.pageTokens) * this.pageTokens
    return cut > 0 ? cut : undefined
  }

  /** Charges a request with `tokens` of its prompt and `newTokens` of output to come. */
  charge(tokens: number, newTokens: number): void {
    const whole = this.ceil(tokens)
    this.promised += whole + this.pageTokens + newTokens
    this.input -= whole
    this.chunk -= whole
  }

  verdict(roomTokens: number): Verdict {
    if (this.left(roomTokens) <= 0) return 'full'
    return this.input <= 0 || (this.cuts && this.chunk <= 0) ? 'done' : 'more'
  }

  private ceil(tokens: number): number {
    return Math.ceil(tokens / this.pageTokens) * this.pageTokens
  }
}
