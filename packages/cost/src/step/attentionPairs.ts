/**
 * Query-key pairs of a prefill chunk of `tokens` new tokens after `context` earlier ones under a causal mask:
 * q c + q (q + 1) / 2, and with a window each token sees at most `windowTokens` tokens, itself included.
 */
export function attentionPairs(tokens: number, context: number, windowTokens: number | undefined): number {
  if (windowTokens === undefined || context + tokens <= windowTokens) {
    return tokens * context + (tokens * (tokens + 1)) / 2
  }
  const growing = Math.max(0, windowTokens - context)
  return growing * context + (growing * (growing + 1)) / 2 + (tokens - growing) * windowTokens
}

/** Tokens of KV that a chunk reads: its own and what it sees of the earlier ones. */
export const tokensRead = (tokens: number, context: number, windowTokens: number | undefined): number =>
  tokens + (windowTokens === undefined ? context : Math.min(context, windowTokens))
