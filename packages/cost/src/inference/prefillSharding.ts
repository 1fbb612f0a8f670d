import { requireCount } from '../costInputError.ts'
import { maxTensorParallelism } from '../training/tensorParallel.ts'
import { largestDivisorUpTo } from './divisors.ts'

/**
 * How to shard prefill: tensor parallelism up to `M F/alpha` ways, beyond which the links bind, and the sequence over the
 * remaining chips. `tensorWays` is the largest divisor of the chips within the limit. Book ch. 7, I12; the limit is T4.
 */
export function prefillSharding(inputs: {
  chips: number
  dFf: number
  /** alpha = C/W of the link: 2200 on v5e (the edition of February 2025 uses 2550). */
  criticalIntensity: number
  /** Hardware axes that tensor parallelism spans. */
  axes: number
  bytesPerElement?: number
}): { maxTensorWays: number; tensorWays: number; sequenceWays: number } {
  requireCount('prefillSharding', { chips: inputs.chips })
  const maxTensorWays = maxTensorParallelism(inputs)
  const tensorWays = largestDivisorUpTo(inputs.chips, maxTensorWays)
  return { maxTensorWays, tensorWays, sequenceWays: inputs.chips / tensorWays }
}
