import { requireCount, requirePositive } from '../costInputError.ts'
import type { TrainingLayer } from './layer.ts'

export const trainingStrategies = ['data', 'fsdp', 'tensor', 'mixed'] as const
export type TrainingStrategy = (typeof trainingStrategies)[number]

/**
 * FLOPs per chip and bytes through each chip's collectives for one layer, forward and backward, by strategy. In bf16:
 * data 0 and 8DF, FSDP 4DF and 8DF, tensor 4BD and 4BD, mixed 4BD/X+4DF/Y and 8BD/X+8DF/Y. The book's mixed row doubles
 * the activation traffic of the backward pass and its tensor row does not; both are kept. Book ch. 5, T10.
 */
export function layerTraffic(
  inputs: TrainingLayer & { strategy: TrainingStrategy; fsdpShards: number; tensorShards: number },
): {
  forwardFlopsPerChip: number
  backwardFlopsPerChip: number
  forwardCommsBytes: number
  backwardCommsBytes: number
} {
  const { batchTokens, dModel, dFf, bytesPerElement = 2, strategy, fsdpShards, tensorShards } = inputs
  requirePositive('layerTraffic', { batchTokens, dModel, dFf, bytesPerElement })
  requireCount('layerTraffic', { fsdpShards, tensorShards })
  const weights = 2 * bytesPerElement * dModel * dFf
  const activations = 2 * bytesPerElement * batchTokens * dModel
  const mixed = activations / fsdpShards + weights / tensorShards
  const [forwardCommsBytes, backwardCommsBytes] = {
    data: [0, 2 * weights],
    fsdp: [weights, 2 * weights],
    tensor: [activations, activations],
    mixed: [mixed, 2 * mixed],
  }[strategy] as [number, number]
  const shards = strategy === 'mixed' ? fsdpShards * tensorShards : strategy === 'tensor' ? tensorShards : fsdpShards
  const product = (batchTokens * dModel * dFf) / shards
  return {
    forwardFlopsPerChip: 4 * product,
    backwardFlopsPerChip: 8 * product,
    forwardCommsBytes,
    backwardCommsBytes,
  }
}
