/** Which passes FLOPs are counted over: the forward pass alone, or forward and backward. */
export type Pass = 'forward' | 'training'

/**
 * FLOPs of a matmul relative to its forward pass: 1 forward; 3 in training, whose backward pass computes the gradients of
 * both operands at the forward cost each. Book ch. 4, M2.
 */
export const passMultiplier = (pass: Pass): number => (pass === 'forward' ? 1 : 3)
