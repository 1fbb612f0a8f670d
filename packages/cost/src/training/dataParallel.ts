import { requirePositive } from '../costInputError.ts'
import { moveSeconds } from '../rooflines/time.ts'
import {
  checkLayer,
  type LayerTime,
  layerMathSeconds,
  layerTime,
  layerWeightBytes,
  type TrainingChip,
  type TrainingLayer,
  type TrainingVerdict,
  verdictOf,
} from './layer.ts'

/** A layout that shards over the batch only. */
export interface BatchShards {
  /** Chips the batch is split over, X. */
  shards: number
  /** Hardware axes the collectives span, M_X. */
  axes: number
}

/**
 * Backward pass of one layer under data parallelism: arithmetic 8BDF/(XC); two AllReduces of the weight gradients,
 * 8DF/(W M_X) in bf16. The forward pass needs no communication. Book ch. 5, T2.
 */
export function dataParallelBackward(inputs: TrainingLayer & TrainingChip & BatchShards): LayerTime {
  const { shards, axes, linkBytesPerSecond } = inputs
  checkLayer('dataParallelBackward', inputs, inputs, { shards, axes })
  const comms = moveSeconds(2 * layerWeightBytes(inputs), linkBytesPerSecond * axes)
  return layerTime(layerMathSeconds(inputs, inputs, shards, 'backward'), comms)
}

/**
 * Forward pass of one layer under fully sharded data parallelism (ZeRO-3): arithmetic 4BDF/(XC); AllGathers of both
 * weights, 4DF/(W M_X) in bf16. The backward pass doubles both, so the bound is that of data parallelism. T3.
 */
export function fsdpForward(inputs: TrainingLayer & TrainingChip & BatchShards): LayerTime {
  const { shards, axes, linkBytesPerSecond } = inputs
  checkLayer('fsdpForward', inputs, inputs, { shards, axes })
  const comms = moveSeconds(layerWeightBytes(inputs), linkBytesPerSecond * axes)
  return layerTime(layerMathSeconds(inputs, inputs, shards, 'forward'), comms)
}

/**
 * Tokens per chip above which data parallelism, plain or fully sharded, is compute-bound: alpha/M_X in bf16, b alpha/(2 M_X)
 * with b bytes per element. Independent of the model. Book ch. 5, T2 and T3.
 */
export function dataParallelMinTokensPerChip(inputs: {
  /** alpha = C/W, for the peak of the compute dtype. */
  criticalIntensity: number
  axes: number
  bytesPerElement?: number
}): number {
  const { criticalIntensity, axes, bytesPerElement = 2 } = inputs
  requirePositive('dataParallelMinTokensPerChip', { criticalIntensity, axes, bytesPerElement })
  return (bytesPerElement * criticalIntensity) / (2 * axes)
}

/** Whether a batch over `chips` is above that threshold, with the batch and the chips at which it would be met. T2, T3. */
export function dataParallelRegime(inputs: {
  batchTokens: number
  chips: number
  criticalIntensity: number
  axes: number
  bytesPerElement?: number
}): {
  tokensPerChip: number
  minTokensPerChip: number
  /** Smallest batch that is compute-bound on these chips, in tokens. */
  minBatchTokens: number
  /** Most chips on which this batch is compute-bound (not rounded). */
  maxChips: number
  verdict: TrainingVerdict
} {
  const { batchTokens, chips } = inputs
  requirePositive('dataParallelRegime', { batchTokens, chips })
  const minTokensPerChip = dataParallelMinTokensPerChip(inputs)
  const tokensPerChip = batchTokens / chips
  return {
    tokensPerChip,
    minTokensPerChip,
    minBatchTokens: minTokensPerChip * chips,
    maxChips: batchTokens / minTokensPerChip,
    verdict: verdictOf(tokensPerChip > minTokensPerChip),
  }
}

/**
 * Ways a batch can be split when whole sequences stay together: tokens over sequence length. More chips need sequence
 * sharding or another axis. Book ch. 5 and 6, T16.
 */
export function sequenceLimitedDataParallelism(inputs: {
  batchTokens: number
  tokensPerSequence: number
  chips: number
}): { sequences: number; maxShards: number; feasible: boolean } {
  const { batchTokens, tokensPerSequence, chips } = inputs
  requirePositive('sequenceLimitedDataParallelism', { batchTokens, tokensPerSequence, chips })
  const sequences = batchTokens / tokensPerSequence
  const maxShards = Math.floor(sequences)
  return { sequences, maxShards, feasible: chips <= maxShards }
}
