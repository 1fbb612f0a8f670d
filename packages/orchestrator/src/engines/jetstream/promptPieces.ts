import type { JetstreamOptions } from './jetstreamOptions.ts'

/** How a prompt is computed: `count` passes of `tokens` tokens each, padding included. */
export interface PromptPieces {
  /** Real tokens of the prompt that are computed. */
  realTokens: number
  count: number
  tokens: number
}

/** Whole in the smallest bucket that holds it, or in chunks of fixed size. A prompt that is too long is cut. */
export function promptPieces(inputTokens: number, options: JetstreamOptions): PromptPieces {
  const { maxPrefillLength, chunkTokens, buckets } = options
  const realTokens = Math.min(inputTokens, maxPrefillLength)
  if (chunkTokens > 0 && realTokens >= chunkTokens)
    return { realTokens, count: Math.ceil(realTokens / chunkTokens), tokens: chunkTokens }
  const bucket = buckets.find((length) => length >= realTokens)
  return { realTokens, count: 1, tokens: Math.min(bucket ?? maxPrefillLength, maxPrefillLength) }
}
