import { requireNonNegative, requirePositive } from '../costInputError.ts'

/** Arrays of `tokens x dModel` kept per layer under each policy of rematerialisation. Book ch. 4, M11. */
export const savedArraysPerLayer = {
  /** Nothing recomputed. */
  none: 20,
  /** The outputs of the seven big matmuls. */
  matmuls: 7,
  /** The input of the block only. */
  block: 1,
} as const

/** Bytes of activations kept for the backward pass: bytes x saves x tokens x D x L. Book ch. 4, M11; ch. 5, T12. */
export function savedActivationBytes(inputs: {
  /** Arrays of `tokens x dModel` kept per layer; see `savedArraysPerLayer`. */
  savedArrays: number
  tokens: number
  dModel: number
  layers: number
  /** 2 (bf16) in the book. */
  bytesPerElement?: number
}): number {
  const { savedArrays, tokens, dModel, layers, bytesPerElement = 2 } = inputs
  requireNonNegative('savedActivationBytes', { savedArrays })
  requirePositive('savedActivationBytes', { tokens, dModel, layers, bytesPerElement })
  return bytesPerElement * savedArrays * tokens * dModel * layers
}

/** Bytes of one activation of `tokens x dModel`. */
export const activationBytes = (inputs: { tokens: number; dModel: number; bytesPerElement?: number }): number =>
  savedActivationBytes({ ...inputs, savedArrays: 1, layers: 1 })
