import { requirePositive } from '../costInputError.ts'

/**
 * A batch in tokens, which is what every batch of the book counts, from sequences, and the share of one device. Book
 * ch. 1 (R7), ch. 12 (G26: `tokens/GPU = sequences x length / GPUs`).
 */
export function tokenBatch(
  sequences: number,
  tokensPerSequence: number,
  devices = 1,
): { readonly tokens: number; readonly tokensPerDevice: number } {
  requirePositive('tokenBatch', { sequences, tokensPerSequence, devices })
  const tokens = sequences * tokensPerSequence
  return { tokens, tokensPerDevice: tokens / devices }
}
