/** Batch sizes that vLLM captures as CUDA graphs: 1, 2, 4, then steps of 8 to 256, and of 16 to 512. */
function nextGraphSize(tokens: number): number {
  if (tokens <= 2) return tokens
  if (tokens <= 4) return 4
  return tokens <= 256 ? Math.ceil(tokens / 8) * 8 : Math.ceil(tokens / 16) * 16
}

/** Tokens that a step computes once padded to a captured size; above `largest` none is captured, and none is added. */
export const paddedTokens = (tokens: number, largest: number): number =>
  tokens > largest ? tokens : Math.min(largest, nextGraphSize(tokens))
