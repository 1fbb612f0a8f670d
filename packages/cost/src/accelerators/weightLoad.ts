import { requireNonNegative, requirePositive } from '../costInputError.ts'
import { moveSeconds } from '../rooflines/time.ts'

/**
 * The floor under a decode step: every weight is read once, `T >= param_bytes / (chips x W_hbm)`. Book ch. 2, H3.
 * @param parameterBytes bytes of weights over all chips (one copy, fully sharded)
 * @returns seconds
 */
export function weightLoadSeconds(parameterBytes: number, chips: number, hbmBytesPerSecond: number): number {
  requireNonNegative('weightLoadSeconds', { parameterBytes })
  requirePositive('weightLoadSeconds', { chips, hbmBytesPerSecond })
  return moveSeconds(parameterBytes, chips * hbmBytesPerSecond)
}
