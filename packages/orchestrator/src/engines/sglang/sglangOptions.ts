import type { EngineLimits } from '../engine.ts'

/** Limits and switches of the SGLang engine; `blockSize` is its page size. Unit and bounds stand in the scenario schema. */
export interface SglangOptions extends EngineLimits {
  /** Most prompt tokens of one batch, a prompt being cut where they end; 0: prompts are never cut. */
  chunkedPrefillTokens: number
  /** Prompt tokens after which a batch takes no further request. */
  maxPrefillTokens: number
  /** Whether running requests decode inside prefill batches. */
  mixedChunk: boolean
  /** Order of the queue: as its scheduler has it, or longest match in the tree first. */
  policy: 'fcfs' | 'lpm'
  /** Factor on the share of their token limits that running requests are expected to use. */
  conservativeness: number
  /** Whether a batch is composed while the one before it runs. */
  overlap: boolean
  /** Decode steps after which the engine looks for new requests (it also does after every prefill batch); at every step where absent. */
  receiveInterval?: number
  /** Decode steps for which there is room after requests were retracted. */
  retractDecodeSteps: number
  /** Whether generated text of a retracted request enters the tree, rather than giving its pages back at once. */
  keepRetractedText: boolean
  /** Generate side of a disaggregated layout: tokens kept free for each request there. */
  reservedDecodeTokens: number
}
