import type { EngineKind, EngineLimits } from '../engine.ts'
import { VllmEngine } from './vllmEngine.ts'
import type { BatchWait } from './vllmOptions.ts'

export interface TrtllmOptions extends EngineLimits {
  /** Token budget of one step (max_num_tokens). */
  maxBatchedTokens: number
  /** Whether a prompt may be computed in pieces (chunked context). */
  chunkedPrefill: boolean
  /**
   * Capacity policy: admit only what can run to its end whatever it generates (guaranteed no evict), or what fits now, and evict
   * the last admitted when memory runs out (maximum utilisation).
   */
  capacity: 'noEvict' | 'evict'
  /** Whether a step is composed while the one before it runs. */
  overlap: boolean
  /** Lets prompts wait for company (batch_wait_timeout_iters, batch_wait_max_tokens_ratio); none waits when absent. */
  batchWait?: BatchWait
}

export const trtllm: EngineKind<TrtllmOptions> = {
  name: 'trtllm',
  description:
    'TensorRT-LLM: in-flight batching where a request is admitted only when the longest possible texts of all that run fit in the KV memory, so that nobody is evicted',
  create(context, options) {
    const { maxBatchedTokens, maxSequences } = options
    if (maxBatchedTokens < maxSequences) {
      throw new RangeError(
        `maxBatchedTokens ${maxBatchedTokens} is below maxSequences ${maxSequences}; every running sequence needs one token a step`,
      )
    }
    return new VllmEngine(context, {
      ...options,
      longPrefillThreshold: 0,
      reserveFullPrompt: false,
      watermark: 0,
      asyncScheduling: options.overlap,
      reserve: options.capacity === 'noEvict' ? 'guarantee' : 'asNeeded',
    })
  },
}
