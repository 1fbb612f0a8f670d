import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import type { KvSharding } from '../inference/index.ts'
import type { StepDtype, StepDtypes } from '../step/dtypes.ts'
import type { ModelSizes } from './modelSizes.ts'
import type { PlanNetwork } from './network.ts'

/** "How would I serve this on that, under so many milliseconds a token?" */
export interface ServingQuestion {
  model: Architecture
  accelerator: Accelerator
  /** Tokens of a sequence for which cache is kept, prompt and output. */
  contextTokens: number
  promptTokens: number
  outputTokens: number
  /** Longest decode step allowed, in seconds a token; without it memory alone limits the batch. */
  stepLimitSeconds?: number
  /** Formats; bf16 unless given. Activations follow the weights: give `activations: 'bf16'` for int8 weights with bf16 arithmetic. */
  dtypes?: Partial<StepDtypes>
  /** Chips to consider; the slices of a TPU's pod, or powers of two up to 64, unless given. */
  chipCounts?: readonly number[]
  /** Model FLOPs utilisation of prefill; 0.4 unless given, as in the book. */
  prefillUtilisation?: number
  /** Share of the memory that weights and caches may fill; all of it unless given, as in the book. */
  memoryShare?: number
  /** Whether the links overlap with the matmuls (unless given), or are left out of the step as in book ch. 8. */
  communication?: 'overlapped' | 'left-out'
  /** Price of one accelerator; its own where a source gives one. */
  usdPerHour?: number
}

/** One slice, with the largest batch that memory and the limit allow on it. Seconds, bytes, tokens per second. */
export interface ServingOption {
  chips: number
  /** Sides of a TPU slice; undefined for GPUs. */
  shape: readonly number[] | undefined
  freeBytes: number
  /** Sequences whose caches fit. */
  memoryBatch: number
  /** Sequences that fit and keep to the limit. */
  batch: number
  batchLimitedBy: 'memory' | 'latency'
  /** Least step time, one sequence alone. */
  floorSeconds: number
  step: {
    seconds: number
    kvSeconds: number
    weightSeconds: number
    mathSeconds: number
    /** Collectives of all layers with tensor parallelism over the whole slice; overlapped with the matmuls. */
    linkSeconds: number
    bound: 'kv' | 'weights' | 'compute' | 'communication'
  }
  tokensPerSecond: number
  tokensPerSecondPerChip: number
  requestsPerSecond: number
  /** One prompt on a prefill slice of the same chips. */
  prefillSeconds: number
  /** Ways of tensor and of sequence parallelism for that prompt, and the limit of the former (I12). */
  prefillSharding: { maxTensorWays: number; tensorWays: number; sequenceWays: number }
  /** Prefill slices for each generate slice (S9). */
  prefillToGenerate: number
  /** Output tokens, generate slice alone; undefined without a price. */
  usdPerMillionTokens: number | undefined
  /** The same with the prefill slices paid for. */
  usdPerMillionTokensWithPrefill: number | undefined
  /** Ways of tensor parallelism above which a memory-bound decode waits for the links (I7). */
  maxTensorWays: number
  kvSharding: KvSharding
  /** Latency against throughput at batches up to `batch`, none beaten by another. */
  front: readonly { batch: number; seconds: number; tokensPerSecondPerChip: number }[]
}

export interface ServingPlan {
  model: ModelSizes
  accelerator: string
  network: PlanNetwork
  dtypes: StepDtypes
  paramBytes: number
  kvBytesPerToken: number
  /** Cache, and recurrent state, kept for one sequence of `contextTokens`. */
  kvBytesPerSequence: number
  /** Read for it in each step. */
  kvReadBytesPerSequence: number
  /** Tokens from which matmuls are compute-bound (I4, I13). */
  criticalBatchTokens: number
  /** Least chips that hold the weights, and that read them within the limit. */
  minChips: { byMemory: number; byLatency: number | undefined }
  /** Slices on which at least one sequence fits and keeps to the limit, smallest first. */
  options: readonly ServingOption[]
  /** The others, with what is wrong with them. */
  rejected: readonly { chips: number; shape: readonly number[] | undefined; reason: string }[]
  smallest: ServingOption | undefined
  /** The option with most tokens per second and chip, which is also the cheapest without prefill. */
  mostProductive: ServingOption | undefined
  /** Formats in which the accelerator multiplies faster than in these, with how many times. */
  fasterFormats: readonly { readonly dtype: StepDtype; readonly times: number }[]
  assumptions: readonly string[]
}
