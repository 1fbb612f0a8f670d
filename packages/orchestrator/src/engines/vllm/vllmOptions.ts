import type { EngineLimits } from '../engine.ts'

/** Limits and switches of the vLLM engine. Every field is documented with unit and bounds in the scenario schema. */
export interface VllmOptions extends EngineLimits {
  /** Token budget of one step. */
  maxBatchedTokens: number
  chunkedPrefill: boolean
  /** Most prompt tokens of one request in one step; 0: no limit. */
  longPrefillThreshold: number
  /** Admit only when the whole known text fits, not just the first chunk. */
  reserveFullPrompt: boolean
  /** Share of all blocks kept free at admission while something runs. */
  watermark: number
  asyncScheduling: boolean
  /** Which blocks an admission takes; `asNeeded` when absent. */
  reserve?: Reserve
  /** Keeps the KV of a preempted request on the host while there is room; computed again when absent. */
  swap?: SwapOptions
  /** Keeps evicted text of the prefix cache on the host; dropped when absent. */
  hostCache?: HostCacheOptions
  /** Lets prompts wait for company beside running requests; none waits when absent. */
  batchWait?: BatchWait
}

/** How long waiting prompts are held back beside running requests. */
export interface BatchWait {
  /** Steps at most. */
  steps: number
  /** No longer once the tokens of a step reach this share of the budget. */
  tokenShare: number
}

/** Host memory for text that was evicted from the prefix cache. */
export interface HostCacheOptions {
  /** KV blocks that fit there. */
  blocks: number
  /** Time to copy one block back. */
  secondsPerBlock: number
}

/** Host memory for preempted requests. */
export interface SwapOptions {
  /** KV blocks that fit there. */
  hostBlocks: number
  /** Time to copy one block out or in. */
  secondsPerBlock: number
}

/**
 * `asNeeded`: those of the chunk. `prompt`: those of the whole known text. `guarantee`: those of the chunk, when the most that
 * all running requests can need fits. `maximum`: the most that the request can need.
 */
export type Reserve = 'asNeeded' | 'prompt' | 'guarantee' | 'maximum'
