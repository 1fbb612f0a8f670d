import { requireCount, requirePositive } from '../costInputError.ts'

/** FLOPs, bytes and their quotient for a piece of work, and the limit of the quotient as the work grows. */
export interface VectorWork {
  readonly flops: number
  readonly bytes: number
  /** FLOP per byte. */
  readonly intensity: number
  /** FLOP per byte for very long vectors. */
  readonly intensityLimit: number
}

/**
 * Dot product of two vectors: reads both, writes one number. `(2N-1)/(4N+2) -> 1/2` in bf16. Book ch. 1, R5.
 * It runs on the vector unit, so compare with that unit's peak and not with the matrix unit's.
 * @param elements length of each vector
 * @param bytesPerElement of inputs and output (bf16: 2)
 */
export function dotProduct(elements: number, bytesPerElement = 2): VectorWork {
  requireCount('dotProduct', { elements })
  requirePositive('dotProduct', { bytesPerElement })
  const flops = 2 * elements - 1
  const bytes = bytesPerElement * (2 * elements + 1)
  return { flops, bytes, intensity: flops / bytes, intensityLimit: 1 / bytesPerElement }
}

/**
 * Sum of two vectors: reads both, writes a third. `N/(12N) = 1/12` in fp32, whatever the length. Book ch. 1, R5.
 * @param elements length of each vector
 * @param bytesPerElement of inputs and output (fp32: 4)
 */
export function vectorAdd(elements: number, bytesPerElement = 4): VectorWork {
  requireCount('vectorAdd', { elements })
  requirePositive('vectorAdd', { bytesPerElement })
  const bytes = 3 * bytesPerElement * elements
  return { flops: elements, bytes, intensity: elements / bytes, intensityLimit: elements / bytes }
}
