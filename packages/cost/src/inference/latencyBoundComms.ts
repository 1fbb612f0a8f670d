import { latencyBoundBytes } from '../collectives/ring.ts'
import { requirePositive } from '../costInputError.ts'

/** A link and the least time a hop takes. */
export interface HopLink {
  /** One direction. */
  onewayBytesPerSecond: number
  /** Least time of a hop, about 1e-6 s on a TPU. */
  hopSeconds: number
}

/**
 * Bytes of an array over `shards` chips below which its collectives wait for hops rather than for bandwidth:
 * shards x W_oneway x t_hop; 360 kB for 8 chips at 45 GB/s and 1 us. Book ch. 7, I10.
 */
export function latencyBoundArrayBytes(inputs: HopLink & { shards: number }): number {
  requirePositive('latencyBoundArrayBytes', { shards: inputs.shards })
  return inputs.shards * latencyBoundBytes(inputs.onewayBytesPerSecond, inputs.hopSeconds)
}

/**
 * Ways of tensor parallelism above which the activations of a decode step are latency-bound: bytes x BD/(W t_hop), which
 * is BD/45000 in int8 on v5e. Book ch. 7, I10.
 */
export function latencyBoundTensorParallelism(
  inputs: HopLink & { batchTokens: number; dModel: number; bytesPerElement: number },
): number {
  const { onewayBytesPerSecond, hopSeconds, batchTokens, dModel, bytesPerElement } = inputs
  requirePositive('latencyBoundTensorParallelism', { batchTokens, dModel, bytesPerElement })
  return (bytesPerElement * batchTokens * dModel) / latencyBoundBytes(onewayBytesPerSecond, hopSeconds)
}
