import type { EngineKind } from '../engine.ts'
import { VllmEngine } from './vllmEngine.ts'
import type { VllmOptions } from './vllmOptions.ts'

export const vllm: EngineKind<VllmOptions> = {
  name: 'vllm',
  description:
    'vLLM V1: one token budget a step, running first, chunked prefill, recompute preemption, prefix cache by block hashes',
  create(context, options) {
    const { maxBatchedTokens, maxSequences } = options
    if (maxBatchedTokens < maxSequences) {
      throw new RangeError(
        `maxBatchedTokens ${maxBatchedTokens} is below maxSequences ${maxSequences}; every running sequence needs one token a step`,
      )
    }
    if (options.reserve === 'maximum' && options.prefixCache) {
      throw new RangeError(
        'reserve maximum sets all blocks aside at admission and has no prefix cache; switch prefixCache off',
      )
    }
    return new VllmEngine(context, options)
  },
}
