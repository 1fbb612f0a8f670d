import { requirePositive } from '../costInputError.ts'
import type { MatmulShape } from './matmul.ts'
import { mathSeconds, moveSeconds, type TimeBounds, timeBounds } from './time.ts'

/**
 * A matmul whose contraction is split over two chips, which then exchange partial sums: `T_math = 2BDF/(2C)`,
 * `T_comms = 2BF/W_link`; compute-bound iff `D > 2C/W_link`, whatever the batch. Book ch. 1, R9 (8755 on v5e).
 * @param of shape; peak of one chip in FLOP/s; bandwidth of the link in one direction (it is full duplex), bytes/s;
 *   bytes per partial sum (bf16: 2)
 */
export function splitContraction(
  of: MatmulShape & {
    readonly peakFlopsPerSecond: number
    readonly linkBytesPerSecond: number
    readonly bytesPerElement?: number
  },
): TimeBounds & { readonly inputDimThreshold: number } {
  const { batchTokens, inputDim, outputDim, peakFlopsPerSecond, linkBytesPerSecond, bytesPerElement = 2 } = of
  requirePositive('splitContraction', { batchTokens, inputDim, outputDim, bytesPerElement })
  const math = mathSeconds(2 * batchTokens * inputDim * outputDim, 2 * peakFlopsPerSecond)
  const move = moveSeconds(bytesPerElement * batchTokens * outputDim, linkBytesPerSecond)
  const inputDimThreshold = (bytesPerElement * peakFlopsPerSecond) / linkBytesPerSecond
  return { ...timeBounds(math, move), inputDimThreshold }
}
