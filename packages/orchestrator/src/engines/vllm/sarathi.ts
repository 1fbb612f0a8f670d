import type { EngineKind, EngineLimits } from '../engine.ts'
import { VllmEngine } from './vllmEngine.ts'

export interface SarathiOptions extends EngineLimits {
  /** Tokens of one step, decodes first: the size of a chunk where nothing decodes. */
  tokenBudget: number
  /** Share of all blocks kept free at admission while something runs. */
  watermark: number
}

export const sarathi: EngineKind<SarathiOptions> = {
  name: 'sarathi',
  description:
    'Sarathi-Serve: stall-free batches with a fixed token budget, decodes first and chunks of prompts in what is left; the blocks of a whole prompt taken at admission',
  create(context, options) {
    const { tokenBudget, maxSequences, prefixCache } = options
    if (tokenBudget < maxSequences) {
      throw new RangeError(
        `tokenBudget ${tokenBudget} is below maxSequences ${maxSequences}; every running sequence needs one token a step`,
      )
    }
    if (prefixCache) throw new RangeError('sarathi has no prefix cache; switch prefixCache off')
    return new VllmEngine(context, {
      ...options,
      maxBatchedTokens: tokenBudget,
      chunkedPrefill: true,
      longPrefillThreshold: 0,
      reserveFullPrompt: true,
      asyncScheduling: false,
      reserve: 'prompt',
    })
  },
}
