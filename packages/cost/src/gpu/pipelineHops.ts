import { requireCount, requirePositive } from '../costInputError.ts'
import { stageHopSeconds } from '../training/pipeline.ts'

/** Communication of a pipelined pass. Times in seconds. */
export interface PipelineHops {
  /** `N_MB + N_stages - 2` hops one after another. */
  readonly hops: number
  /** `2BD/(W N_MB)`: the activations of one microbatch. */
  readonly hopSeconds: number
  readonly totalSeconds: number
  readonly perLayerSeconds: number
  /** The book's round `1.5 x 2BD/(W L)`. */
  readonly perLayerRoundedSeconds: number
}

/**
 * Communication of pipeline parallelism. Book ch. 12, G22.
 * @param of B tokens over all microbatches; D; microbatches N_MB; stages; layers L; W in bytes/s; bytes per activation
 *   (bf16: 2)
 */
export function pipelineHops(of: {
  readonly batchTokens: number
  readonly dModel: number
  readonly microbatches: number
  readonly stages: number
  readonly layers: number
  readonly bytesPerSecond: number
  readonly bytesPerElement?: number
}): PipelineHops {
  const { batchTokens, dModel, microbatches, stages, layers, bytesPerSecond, bytesPerElement = 2 } = of
  requireCount('pipelineHops', { microbatches, stages, layers })
  requirePositive('pipelineHops', { batchTokens, dModel, bytesPerSecond, bytesPerElement })
  const hops = microbatches + stages - 2
  const hopSeconds = stageHopSeconds({
    microbatchTokens: batchTokens / microbatches,
    dModel,
    onewayBytesPerSecond: bytesPerSecond,
    bytesPerElement,
  })
  const totalSeconds = hops * hopSeconds
  return {
    hops,
    hopSeconds,
    totalSeconds,
    perLayerSeconds: totalSeconds / layers,
    perLayerRoundedSeconds: (1.5 * hopSeconds * microbatches) / layers,
  }
}
