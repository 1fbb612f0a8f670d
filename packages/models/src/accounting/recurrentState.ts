import type { Architecture } from '../architecture.ts'
import type { Attention } from '../layers/attention.ts'

/** Elements of the recurrent state of one sequence in one layer; 0 for softmax attention. */
export const recurrentElements = (attention: Attention): number =>
  attention.kind === 'linear' ? attention.valueHeads * attention.keyHeadDim * attention.valueHeadDim : 0

/** Elements of the convolution state of one sequence in one layer: `convKernel` taps of q, k and v. */
export const convolutionElements = (attention: Attention): number =>
  attention.kind === 'linear'
    ? (2 * attention.keyHeads * attention.keyHeadDim + attention.valueHeads * attention.valueHeadDim) *
      attention.convKernel
    : 0

export interface RecurrentStateBytes {
  readonly recurrent: number
  readonly convolution: number
  readonly total: number
}

/**
 * Bytes one sequence keeps in the linear-attention layers, whatever its context. The recurrent state is usually kept in
 * fp32 (4 bytes) and the convolution in bf16 (2 bytes).
 */
export const recurrentStateBytes = (
  architecture: Architecture,
  bytes: { readonly recurrent: number; readonly convolution: number } = { recurrent: 4, convolution: 2 },
): RecurrentStateBytes => {
  let recurrent = 0
  let convolution = 0
  for (const { attention } of architecture.layers) {
    recurrent += recurrentElements(attention) * bytes.recurrent
    convolution += convolutionElements(attention) * bytes.convolution
  }
  return { recurrent, convolution, total: recurrent + convolution }
}
