import { requireCount, requirePositive } from '../costInputError.ts'
import { mathSeconds } from '../rooflines/time.ts'

/** One core's part of `[tokens, D] x [D, F]`. */
export interface LocalMatmul {
  readonly localTokens: number
  readonly localOutputs: number
  readonly flops: number
  readonly seconds: number
}

/**
 * Expected time of a matmul split over tokens (data parallelism) and outputs (model parallelism): local FLOPs over the
 * peak of a core. Book ch. 9, P2.
 * @param of tokens and dimensions before splitting; ways of each; peak of one core in FLOP/s
 */
export function localMatmul(of: {
  readonly tokens: number
  readonly inputDim: number
  readonly outputDim: number
  readonly dataWays?: number
  readonly modelWays?: number
  readonly peakFlopsPerSecond: number
}): LocalMatmul {
  const { tokens, inputDim, outputDim, dataWays = 1, modelWays = 1, peakFlopsPerSecond } = of
  requirePositive('localMatmul', { tokens, inputDim, outputDim, peakFlopsPerSecond })
  requireCount('localMatmul', { dataWays, modelWays })
  const localTokens = tokens / dataWays
  const localOutputs = outputDim / modelWays
  const flops = 2 * localTokens * inputDim * localOutputs
  return { localTokens, localOutputs, flops, seconds: mathSeconds(flops, peakFlopsPerSecond) }
}
