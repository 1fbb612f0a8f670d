import { isGrouped, type LatentAttention, type LayerShape } from '@windtunnel/models'
import { keyValueHeadsPerRank } from './layout.ts'

/** One weight matrix on one rank: C[m, outputs] = A[m, inputs] B[inputs, outputs]. */
export interface Gemm {
  outputs: number
  inputs: number
}

/** Projections of a layer's attention or recurrent mixer on one of `tp` ranks. */
export function mixerGemms(shape: LayerShape, hidden: number, tp: number): Gemm[] {
  const { attention } = shape
  if (isGrouped(attention)) {
    const gates = attention.outputGate === true ? 2 : 1
    const queryColumns = (gates * shape.queryHeads * shape.headDim) / tp
    const projected =
      attention.reusesKv === true
        ? 0
        : attention.valuesAreKeys === true
          ? shape.headDim
          : shape.headDim + shape.valueHeadDim
    return [
      { outputs: queryColumns + keyValueHeadsPerRank(shape.kvHeads, tp) * projected, inputs: hidden },
      { outputs: hidden, inputs: (shape.queryHeads * shape.valueHeadDim) / tp },
    ]
  }
  if (attention.kind === 'latent') return latentGemms(attention, hidden, tp)
  const values = attention.valueHeads * attention.valueHeadDim
  return [
    { outputs: (shape.attentionParameters / hidden - values) / tp, inputs: hidden },
    { outputs: hidden, inputs: values / tp },
  ]
}

/** Down-projections are copied to every rank; up-projections and the output are split by heads. */
function latentGemms(attention: LatentAttention, hidden: number, tp: number): Gemm[] {
  const heads = attention.queryHeads / tp
  const queryColumns = heads * (attention.nopeHeadDim + attention.ropeHeadDim)
  const compressed = attention.kvRank + attention.ropeHeadDim
  const queries =
    attention.queryRank === undefined
      ? [{ outputs: queryColumns + compressed, inputs: hidden }]
      : [
          { outputs: attention.queryRank + compressed, inputs: hidden },
          { outputs: queryColumns, inputs: attention.queryRank },
        ]
  return [
    ...queries,
    { outputs: heads * (attention.nopeHeadDim + attention.valueHeadDim), inputs: attention.kvRank },
    { outputs: hidden, inputs: heads * attention.valueHeadDim },
  ]
}

/** Matrices that every token passes in a layer's feed-forward on one of `tp` ranks: all of a dense one, shared experts. */
export function feedForwardGemms(shape: LayerShape, hidden: number, tp: number): Gemm[] {
  const { mlp } = shape
  if (mlp.kind === 'dense') {
    const width = mlp.intermediateSize / tp
    return [
      { outputs: mlp.gated ? 2 * width : width, inputs: hidden },
      { outputs: hidden, inputs: width },
    ]
  }
  const width = (mlp.sharedExperts * (mlp.sharedExpertIntermediateSize ?? mlp.expertIntermediateSize)) / tp
  if (width === 0) return []
  return [
    { outputs: mlp.gated ? 2 * width : width, inputs: hidden },
    { outputs: hidden, inputs: width },
  ]
}
