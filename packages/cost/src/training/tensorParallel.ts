import { requirePositive } from '../costInputError.ts'
import { moveSeconds } from '../rooflines/time.ts'
import {
  checkLayer,
  type LayerTime,
  layerActivationBytes,
  layerMathSeconds,
  layerTime,
  type TrainingChip,
  type TrainingLayer,
  type TrainingVerdict,
  verdictOf,
} from './layer.ts'

/**
 * Forward pass of one layer under tensor parallelism: arithmetic 4BDF/(YC); AllGather and ReduceScatter of the
 * activations, 4BD/(W M_Y) in bf16. Book ch. 5, T4.
 */
export function tensorParallelForward(
  inputs: TrainingLayer &
    TrainingChip & {
      /** Chips the feed-forward dimension is split over, Y. */
      shards: number
      /** Hardware axes the collectives span, M_Y. */
      axes: number
    },
): LayerTime {
  const { shards, axes, linkBytesPerSecond } = inputs
  checkLayer('tensorParallelForward', inputs, inputs, { shards, axes })
  const comms = moveSeconds(layerActivationBytes(inputs), linkBytesPerSecond * axes)
  return layerTime(layerMathSeconds(inputs, inputs, shards, 'forward'), comms)
}

/**
 * Ways of tensor parallelism below which a layer is compute-bound: Y < M_Y F/alpha in bf16, whatever the batch. Bytes per
 * element b give `2 M_Y F/(b alpha)`; int8 doubles alpha and halves b, so the limit does not depend on the precision.
 * Also the limit of prefill. Book ch. 5, T4; ch. 7, I12.
 */
export function maxTensorParallelism(inputs: {
  dFf: number
  axes: number
  /** alpha = C/W, for the peak of the compute dtype. */
  criticalIntensity: number
  bytesPerElement?: number
}): number {
  const { dFf, axes, criticalIntensity, bytesPerElement = 2 } = inputs
  requirePositive('maxTensorParallelism', { dFf, axes, criticalIntensity, bytesPerElement })
  return (2 * axes * dFf) / (bytesPerElement * criticalIntensity)
}

/** Whether `ways` of tensor parallelism stay below that limit. Book ch. 5, T4. */
export function tensorParallelVerdict(inputs: {
  ways: number
  dFf: number
  axes: number
  criticalIntensity: number
  bytesPerElement?: number
}): TrainingVerdict {
  requirePositive('tensorParallelVerdict', { ways: inputs.ways })
  return verdictOf(inputs.ways < maxTensorParallelism(inputs))
}

/** Feed-forward dimension above which `ways` of tensor parallelism are compute-bound: Y alpha/M_Y in bf16. T4. */
export function minDffForTensorParallelism(inputs: {
  ways: number
  axes: number
  criticalIntensity: number
  bytesPerElement?: number
}): number {
  const { ways, axes, criticalIntensity, bytesPerElement = 2 } = inputs
  requirePositive('minDffForTensorParallelism', { ways, axes, criticalIntensity, bytesPerElement })
  return (ways * bytesPerElement * criticalIntensity) / (2 * axes)
}
