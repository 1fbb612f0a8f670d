import { type MatmulBytes, type MatmulShape, matmulWork } from './matmul.ts'
import { mathSeconds, moveSeconds, type TimeBounds, timeBounds } from './time.ts'

export interface MatmulTime extends TimeBounds {
  readonly flops: number
  readonly bytes: number
  /** FLOP per byte. */
  readonly intensity: number
  /** The rate reached with perfect overlap, FLOP/s. */
  readonly achievedFlopsPerSecond: number
}

/**
 * Time of a matmul on one accelerator between its lower and upper bound. Book ch. 1, R1 to R3 and R6.
 * @param of shape, bytes per element (2 unless given), peak for the compute dtype in FLOP/s, memory bandwidth in bytes/s
 */
export function matmulTime(
  of: MatmulShape & MatmulBytes & { readonly peakFlopsPerSecond: number; readonly bytesPerSecond: number },
): MatmulTime {
  const { flops, bytes, intensity } = matmulWork(of)
  const bounds = timeBounds(mathSeconds(flops, of.peakFlopsPerSecond), moveSeconds(bytes, of.bytesPerSecond))
  return { ...bounds, flops, bytes, intensity, achievedFlopsPerSecond: flops / bounds.lowerSeconds }
}
