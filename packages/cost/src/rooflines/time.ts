import { requireNonNegative, requirePositive } from '../costInputError.ts'

/** The resource that sets the time: arithmetic, or moving bytes (from memory, over a link). */
export type Bound = 'compute' | 'memory'

/**
 * Seconds of pure arithmetic: `T_math = FLOPs / C`. Book ch. 1, R1.
 * @param flops floating-point (or integer) operations
 * @param peakFlopsPerSecond peak for the dtype of the arithmetic, FLOP/s
 * @throws CostInputError for FLOPs below zero, and for a peak that is not above zero
 */
export function mathSeconds(flops: number, peakFlopsPerSecond: number): number {
  if (!(flops >= 0)) requireNonNegative('mathSeconds', { flops })
  if (!(peakFlopsPerSecond > 0)) requirePositive('mathSeconds', { peakFlopsPerSecond })
  return flops / peakFlopsPerSecond
}

/**
 * Seconds to move bytes: `T_comms = bytes / W`. Book ch. 1, R2.
 * @param bytes bytes moved
 * @param bytesPerSecond bandwidth of whatever moves them: HBM, VMEM, a link, PCIe, the datacentre network
 * @throws CostInputError for bytes below zero, and for a bandwidth that is not above zero
 */
export function moveSeconds(bytes: number, bytesPerSecond: number): number {
  if (!(bytes >= 0)) requireNonNegative('moveSeconds', { bytes })
  if (!(bytesPerSecond > 0)) requirePositive('moveSeconds', { bytesPerSecond })
  return bytes / bytesPerSecond
}

/** Bounds on the time of work that computes and moves. `bound` names the longer part (a tie counts as compute). */
export interface TimeBounds {
  readonly mathSeconds: number
  readonly moveSeconds: number
  /** With perfect overlap: the longer of the two. */
  readonly lowerSeconds: number
  /** Without any overlap: the sum, at most twice the lower bound. */
  readonly upperSeconds: number
  readonly bound: Bound
}

/**
 * `T_lower = max(T_math, T_comms)`, `T_upper = T_math + T_comms`. Book ch. 1, R3. Seconds in, seconds out.
 * @throws CostInputError for a time below zero
 */
export function timeBounds(math: number, move: number): TimeBounds {
  if (!(math >= 0 && move >= 0)) requireNonNegative('timeBounds', { mathSeconds: math, moveSeconds: move })
  return {
    mathSeconds: math,
    moveSeconds: move,
    lowerSeconds: Math.max(math, move),
    upperSeconds: math + move,
    bound: math >= move ? 'compute' : 'memory',
  }
}
