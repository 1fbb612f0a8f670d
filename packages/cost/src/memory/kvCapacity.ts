import { type Accelerator, programHbmBytes } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import { requireCount, requireNonNegative, requireShare } from '../costInputError.ts'
import { type StepDtypes, stepDtypesOf } from '../step/dtypes.ts'
import { layoutOf, type ReplicaLayout, requireLayoutFor } from '../step/layout.ts'
import { keyValueBytesPerAccelerator } from './keyValueBytes.ts'
import { ModelDoesNotFit } from './modelDoesNotFit.ts'
import { smallestLayout } from './smallestLayout.ts'
import { weightBytesPerAccelerator } from './weightBytes.ts'

/** What KV capacity follows from. */
export interface KvCapacityOptions {
  architecture: Architecture
  accelerator: Accelerator
  layout?: Partial<ReplicaLayout> | undefined
  dtypes?: Partial<StepDtypes> | undefined
  /** Tokens in one block; 16. */
  blockTokens?: number | undefined
  /** Share of the accelerator's memory the engine may use (gpu_memory_utilization); 0.9. */
  utilisation?: number | undefined
  /** Sequences for which windows and recurrent state are set aside; matters only for models that have them; 0. */
  reservedSequences?: number | undefined
  /** Activation peak, graphs and communication buffers of one accelerator, in place of `overheadBytesOf`. */
  overheadBytes?: number | undefined
  /** The number of blocks, where it is known; everything else is then only reported. */
  blocks?: number | undefined
  /** Tokens that must fit (the longest request the engine accepts); one block where left out. */
  minimumTokens?: number | undefined
}

/** KV blocks of a replica and the bytes they follow from. Bytes are of one accelerator, the fullest. */
export interface KvCapacity {
  /** Blocks of the whole replica: those of one attention rank times the data-parallel ranks. */
  blocks: number
  blockTokens: number
  bytesPerBlock: number
  bytesPerSequence: number
  memoryBytes: number
  usableBytes: number
  weightBytes: number
  overheadBytes: number
  /** Set aside for windows and recurrent state. */
  reservedBytes: number
  /** What is left for blocks; negative when the weights alone do not fit. */
  freeBytes: number
}

const GIB = 1024 * 1024 * 1024

/**
 * Memory that an engine holds beside weights and KV: 0.3 GiB, 0.45 GiB more with tensor parallelism, and 7e-6 GiB for
 * every entry of the vocabulary (logits of the profiling run). Fits seven known vLLM deployments within 0.4 GiB. An engine
 * that profiles a vision tower (extra weights named so) holds 5 GiB more: one known deployment, of Llama 4 Scout.
 */
export function overheadBytesOf(architecture: Architecture, layout: ReplicaLayout): number {
  const hasTower = (architecture.extras ?? []).some((extra) => extra.name.includes('vision'))
  return (0.3 + (layout.tp > 1 ? 0.45 : 0) + (hasTower ? 5 : 0) + 7e-6 * architecture.vocabSize) * GIB
}

/**
 * Paged KV capacity as vLLM computes it: floor((utilisation * memory - weights - overhead) / bytes per block).
 * Throws ModelDoesNotFit when not even `minimumTokens` fit, and CostInputError for inputs that make no sense.
 */
export function kvCapacity(options: KvCapacityOptions): KvCapacity {
  const capacity = kvCapacityOrLess(options)
  const needed = Math.max(1, Math.ceil((options.minimumTokens ?? 1) / capacity.blockTokens))
  const perRank = capacity.blocks / layoutOf(options.layout).dp
  if (perRank >= needed) return capacity
  throw new ModelDoesNotFit({
    model: options.architecture.name,
    accelerator: options.accelerator.name,
    layout: layoutOf(options.layout),
    capacity,
    neededBlocks: needed,
    smallest: smallestLayout(options, (layout) => {
      const tried = kvCapacityOrLess({ ...options, layout, blocks: undefined })
      return tried.blocks / layout.dp >= needed
    }),
  })
}

/** The same without the check: blocks are 0 where nothing is left. */
export function kvCapacityOrLess(options: KvCapacityOptions): KvCapacity {
  const { architecture, accelerator, blockTokens = 16, utilisation = 0.9, reservedSequences = 0 } = options
  const layout = layoutOf(options.layout)
  requireLayoutFor(architecture, layout)
  requireCount('kvCapacity', { blockTokens })
  requireShare('kvCapacity', { utilisation })
  const overheadBytes = options.overheadBytes ?? overheadBytesOf(architecture, layout)
  requireNonNegative('kvCapacity', { overheadBytes, reservedSequences, blocks: options.blocks ?? 0 })
  const dtypes = stepDtypesOf(options.dtypes)
  const keyValues = keyValueBytesPerAccelerator(architecture, layout, dtypes.keyValues)
  const memoryBytes = programHbmBytes(accelerator)
  const usableBytes = utilisation * memoryBytes
  const weightBytes = weightBytesPerAccelerator(architecture, layout, dtypes)
  const reservedBytes = Math.ceil(reservedSequences / layout.dp) * keyValues.perSequence
  const freeBytes = usableBytes - weightBytes - overheadBytes - reservedBytes
  const bytesPerBlock = keyValues.perToken * blockTokens
  return {
    blocks: options.blocks ?? layout.dp * Math.max(0, Math.floor(freeBytes / bytesPerBlock)),
    blockTokens,
    bytesPerBlock,
    bytesPerSequence: keyValues.perSequence,
    memoryBytes,
    usableBytes,
    weightBytes,
    overheadBytes,
    reservedBytes,
    freeBytes,
  }
}
