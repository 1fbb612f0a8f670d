import { requirePositive } from '../costInputError.ts'
import type { Bound } from './time.ts'

/** Arithmetic intensity of an algorithm, FLOP per byte moved: `I = FLOPs / bytes`. Book ch. 1, R4. */
export function arithmeticIntensity(flops: number, bytes: number): number {
  requirePositive('arithmeticIntensity', { bytes })
  return flops / bytes
}

/**
 * The intensity an algorithm needs to keep the arithmetic busy: `I(accelerator) = C / W`, FLOP per byte. Book ch. 1, R4.
 * The same quotient is the book's alpha when the bandwidth is that of a link or a collective (ch. 5, 12).
 * @param peakFlopsPerSecond peak for the dtype of the arithmetic, FLOP/s
 * @param bytesPerSecond bandwidth of the memory or link that feeds it, bytes/s
 */
export function criticalIntensity(peakFlopsPerSecond: number, bytesPerSecond: number): number {
  requirePositive('criticalIntensity', { peakFlopsPerSecond, bytesPerSecond })
  return peakFlopsPerSecond / bytesPerSecond
}

/** What bounds work of an intensity (FLOP/B) on an accelerator of a critical intensity: compute iff above. R4. */
export const boundOf = (intensity: number, critical: number): Bound => (intensity > critical ? 'compute' : 'memory')

/**
 * The roofline: the best rate at an intensity, `P(I) = min(C, I W)` in FLOP/s. Book ch. 1, R12.
 * @param intensity FLOP per byte
 */
export function attainableFlopsPerSecond(
  intensity: number,
  peakFlopsPerSecond: number,
  bytesPerSecond: number,
): number {
  requirePositive('attainableFlopsPerSecond', { peakFlopsPerSecond, bytesPerSecond })
  return Math.min(peakFlopsPerSecond, intensity * bytesPerSecond)
}
