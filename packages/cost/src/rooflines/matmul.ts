import { requirePositive } from '../costInputError.ts'

/** Bytes per element of the three arrays of a matmul. Each is 2 (bf16) unless given. */
export interface MatmulBytes {
  readonly inputBytes?: number
  readonly weightBytes?: number
  readonly outputBytes?: number
}

/** `[B, D] x [D, F] -> [B, F]`: tokens (or rows) B, contracted dimension D, output dimension F. */
export interface MatmulShape {
  readonly batchTokens: number
  readonly inputDim: number
  readonly outputDim: number
}

export interface MatmulWork {
  /** `2BDF`, counting a multiply and an add for each product. */
  readonly flops: number
  /** `BF(2D-1)`: one add fewer in each sum. */
  readonly exactFlops: number
  /** Read both operands, write the result. */
  readonly bytes: number
  /** FLOP per byte. */
  readonly intensity: number
}

/** The bytes with bf16 where none is given. */
export const matmulBytes = (bytes: MatmulBytes): Required<MatmulBytes> => ({
  inputBytes: bytes.inputBytes ?? 2,
  weightBytes: bytes.weightBytes ?? 2,
  outputBytes: bytes.outputBytes ?? 2,
})

/**
 * FLOPs, bytes through memory and intensity of a matmul. Book ch. 1, R6: in bf16 `I = BDF/(BD+DF+BF)`.
 * @throws CostInputError for a dimension or element size that is not above zero
 */
export function matmulWork(of: MatmulShape & MatmulBytes): MatmulWork {
  const { batchTokens: b, inputDim: d, outputDim: f } = of
  requirePositive('matmulWork', { batchTokens: b, inputDim: d, outputDim: f })
  const { inputBytes, weightBytes, outputBytes } = matmulBytes(of)
  requirePositive('matmulWork', { inputBytes, weightBytes, outputBytes })
  const flops = 2 * b * d * f
  const bytes = inputBytes * b * d + weightBytes * d * f + outputBytes * b * f
  return { flops, exactFlops: b * f * (2 * d - 1), bytes, intensity: flops / bytes }
}

/**
 * Intensity of the same matmul for a batch much smaller than both dimensions: only the weights count, so
 * `I ~ 2B / b_w`, which is B in bf16. Book ch. 1, R6. FLOP per byte.
 */
export const smallBatchIntensity = (batchTokens: number, weightBytes = 2): number => (2 * batchTokens) / weightBytes

/**
 * The intensity no batch can exceed, `DF/(D+F)` in bf16: the limit for B -> infinity, where inputs and outputs count
 * and weights do not. Book ch. 1, R6. FLOP per byte.
 */
export function largestIntensity(of: Omit<MatmulShape, 'batchTokens'> & MatmulBytes): number {
  const { inputDim, outputDim } = of
  requirePositive('largestIntensity', { inputDim, outputDim })
  const { inputBytes, outputBytes } = matmulBytes(of)
  return (2 * inputDim * outputDim) / (inputBytes * inputDim + outputBytes * outputDim)
}

/**
 * Matmul with a matrix of its own for every example, `[B, D] x [B, D, F] -> [B, F]`: never compute-bound, because the
 * weights grow with the batch. int8: `I = 2BDF/(BD+BDF+BF) -> 2`. Book ch. 1, R10.
 * @returns intensity and its limit for large D and F, in operations per byte
 */
export function perExampleMatmul(of: MatmulShape & { readonly bytesPerElement?: number }): {
  readonly intensity: number
  readonly intensityLimit: number
} {
  const { batchTokens: b, inputDim: d, outputDim: f, bytesPerElement = 1 } = of
  requirePositive('perExampleMatmul', { batchTokens: b, inputDim: d, outputDim: f })
  requirePositive('perExampleMatmul', { bytesPerElement })
  return {
    intensity: (2 * b * d * f) / (bytesPerElement * (b * d + b * d * f + b * f)),
    intensityLimit: 2 / bytesPerElement,
  }
}
