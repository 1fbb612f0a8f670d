/** Norms, rotary embedding, activation and residual additions of one layer. */
export interface ElementwiseParameters {
  /** Launch of one fused pass. */
  secondsPerPass: number
  memoryEfficiency: number
}

/** Sizes of one layer on one rank. */
export interface ElementwiseShape {
  hiddenSize: number
  heads: number
  keyValueHeads: number
  headSize: number
  /** Width of the gated activation; 0 for a layer whose experts do it themselves. */
  intermediateSize: number
  queryKeyNorm: boolean
}

/** Fused passes of a layer: 5 in a dense one, 4 with experts, one more for a norm of queries and keys. */
export const passesOf = (shape: ElementwiseShape): number =>
  (shape.intermediateSize > 0 ? 5 : 4) + (shape.queryKeyNorm ? 1 : 0)

/** Bytes that a layer's passes move for one token: 16 h + 4 (H + K) d (twice with a norm) + 6 I + 8 K d. */
export const elementwiseBytesPerToken = (shape: ElementwiseShape): number =>
  16 * shape.hiddenSize +
  4 * (shape.heads + shape.keyValueHeads) * shape.headSize * (shape.queryKeyNorm ? 2 : 1) +
  6 * shape.intermediateSize +
  8 * shape.keyValueHeads * shape.headSize

/** Measured on H100 and A100 as vLLM fuses them: about 9 us a layer at small batches. */
export const defaultElementwise: ElementwiseParameters = { secondsPerPass: 1.8e-6, memoryEfficiency: 0.75 }
