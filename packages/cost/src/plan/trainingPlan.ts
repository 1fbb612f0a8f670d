import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import type { StepDtype } from '../step/dtypes.ts'
import type { AxisOverlap, LayerTime, TrainingMemory, TrainingMix, TrainingVerdict } from '../training/index.ts'
import type { ModelSizes } from './modelSizes.ts'
import type { PlanNetwork } from './network.ts'

/** "How would I train this on that?" */
export interface TrainingQuestion {
  model: Architecture
  accelerator: Accelerator
  /** Chips of one slice, or GPUs in all. */
  chips: number
  /** Slices joined by the data-centre network, with data parallelism between them (T11); 1 unless given. TPUs only. */
  slices?: number
  /** Tokens of a step over all slices. */
  batchTokens: number
  tokensPerSequence: number
  /** Tokens of the whole run; without them the time of the run is left out. */
  runTokens?: number
  /** Model FLOPs utilisation hoped for; 0.4 unless given, as in the book. Communication can only lower it. */
  utilisation?: number
  /** Whether collectives on different axes overlap: the latest edition (unless given), or that of February 2025. */
  overlap?: AxisOverlap
  /** Format of the matmuls; bf16 unless given. */
  dtype?: StepDtype
  /** Arrays of tokens x D kept per layer for the backward pass; 2 unless given, as in the book's plan. */
  savedArraysPerLayer?: number
  /** Adam in the book's dtypes: 2 bytes a weight and 8 of optimizer state, unless given. */
  weightBytesPerParam?: number
  optimizerBytesPerParam?: number
  /** Whether a sequence may be split over chips; true unless given. If not, T16 limits data parallelism. */
  sequenceSharding?: boolean
}

/** The question with what was left out filled in. */
export type AnsweredQuestion = Required<Omit<TrainingQuestion, 'runTokens'>> & { runTokens: number | undefined }

/** One scheme of the chapter: what it needs, what there is, and whether that is enough. */
export interface SchemeVerdict {
  scheme: 'fsdp' | 'tensor' | 'mixed'
  /** `tokens per chip` must exceed, `ways` must stay below. */
  measure: 'tokens per chip' | 'ways'
  threshold: number
  found: number
  verdict: TrainingVerdict
}

export interface TrainingPlan {
  model: ModelSizes
  accelerator: string
  network: PlanNetwork
  /** Over all slices. */
  chips: number
  slices: number
  memory: TrainingMemory & { hbmBytesPerChip: number; fits: boolean }
  batch: { tokens: number; tokensPerChip: number; sequences: number; maxSequenceShards: number }
  schemes: readonly SchemeVerdict[]
  /** The fastest layout of a slice. */
  best: TrainingMix & {
    /** Undefined where nothing is communicated. */
    mathOverComms: number | undefined
  }
  /** Up to five others, next best first. */
  alternatives: readonly TrainingMix[]
  /** Gradients between slices; undefined for one slice. */
  acrossSlices: (LayerTime & { tokensPerSlice: number; minTokensPerSlice: number }) | undefined
  /** What stops the plan from being faster: memory if it does not fit, else arithmetic or communication. */
  verdict: TrainingVerdict | 'memory-bound'
  reason: string
  time: {
    /** The utilisation hoped for, lowered where communication takes longer than arithmetic. */
    utilisation: number
    stepSeconds: number
    steps: number | undefined
    runSeconds: number | undefined
    chipHours: number | undefined
    usd: number | undefined
  }
  assumptions: readonly string[]
}
