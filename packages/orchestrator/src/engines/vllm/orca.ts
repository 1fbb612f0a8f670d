import type { EngineKind, EngineLimits } from '../engine.ts'
import { VllmEngine } from './vllmEngine.ts'

/** The engine has no options beyond the limits of its replica; `prefixCache` must be off. */
export const orca: EngineKind = {
  name: 'orca',
  description:
    'Orca: iteration-level batching of whole prompts beside decodes, first come first served, with the longest possible text of every request set aside at admission',
  create(context, options: EngineLimits) {
    if (options.prefixCache) throw new RangeError('orca has no prefix cache; switch prefixCache off')
    return new VllmEngine(context, {
      ...options,
      maxBatchedTokens: Number.MAX_SAFE_INTEGER,
      chunkedPrefill: false,
      longPrefillThreshold: 0,
      reserveFullPrompt: true,
      watermark: 0,
      asyncScheduling: false,
      reserve: 'maximum',
    })
  },
}
