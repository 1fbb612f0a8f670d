import { requirePositive } from '../costInputError.ts'
import { dataParallelMinTokensPerChip } from './dataParallel.ts'
import type { TrainingVerdict } from './layer.ts'
import { type AxisOverlap, mixedMinTokensPerChip } from './mixedParallel.ts'
import { maxTensorParallelism } from './tensorParallel.ts'

/**
 * Which scheme keeps a batch compute-bound: fully sharded data parallelism alone where the tokens per chip allow, mixed
 * with tensor parallelism below that, tensor parallelism alone where the chips are fewer than its limit; else none does,
 * and mixed loses least. Book ch. 5, T9.
 */
export function trainingScheme(inputs: {
  batchTokens: number
  chips: number
  dFf: number
  criticalIntensity: number
  /** Hardware axes of the torus. */
  axes: number
  overlap: AxisOverlap
}): {
  scheme: 'fsdp' | 'mixed' | 'tensor'
  verdict: TrainingVerdict
  tokensPerChip: number
  fsdpMinTokensPerChip: number
  /** Undefined on one axis, which the two strategies cannot share. */
  mixedMinTokensPerChip: number | undefined
  maxTensorShards: number
} {
  const { batchTokens, chips, dFf, criticalIntensity, axes, overlap } = inputs
  requirePositive('trainingScheme', { batchTokens, chips })
  const tokensPerChip = batchTokens / chips
  const fsdpMin = dataParallelMinTokensPerChip({ criticalIntensity, axes })
  const mixedMin =
    axes > 1 ? mixedMinTokensPerChip({ criticalIntensity, dFf, axesProduct: axes - 1, overlap }) : undefined
  const maxTensorShards = maxTensorParallelism({ dFf, axes, criticalIntensity })
  const numbers = { tokensPerChip, fsdpMinTokensPerChip: fsdpMin, mixedMinTokensPerChip: mixedMin, maxTensorShards }
  if (tokensPerChip > fsdpMin) return { scheme: 'fsdp', verdict: 'compute-bound', ...numbers }
  if (mixedMin !== undefined && tokensPerChip > mixedMin)
    return { scheme: 'mixed', verdict: 'compute-bound', ...numbers }
  if (chips < maxTensorShards) return { scheme: 'tensor', verdict: 'compute-bound', ...numbers }
  return { scheme: mixedMin === undefined ? 'fsdp' : 'mixed', verdict: 'comms-bound', ...numbers }
}
