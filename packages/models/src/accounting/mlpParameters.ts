import type { DenseMlp, Mlp, MoeMlp } from '../layers/mlp.ts'

const feedForward = (hidden: number, intermediate: number, gated: boolean, bias: boolean): number =>
  (gated ? 3 : 2) * hidden * intermediate + (bias ? (gated ? 2 : 1) * intermediate + hidden : 0)

/** Parameters of a dense MLP: `3DF` gated, `2DF` plain (formula M3), and biases. */
export const denseMlpParameters = (mlp: DenseMlp, hiddenSize: number): number =>
  feedForward(hiddenSize, mlp.intermediateSize, mlp.gated, mlp.bias === true)

/** Parameters of one routed expert. */
export const expertParameters = (mlp: MoeMlp, hiddenSize: number): number =>
  feedForward(hiddenSize, mlp.expertIntermediateSize, mlp.gated, mlp.expertBias === true)

/** Parameters of a layer's shared experts together, their gate included; 0 without. */
export const sharedExpertParameters = (mlp: MoeMlp, hiddenSize: number): number => {
  if (mlp.sharedExperts === 0) return 0
  const size = mlp.sharedExpertIntermediateSize ?? mlp.expertIntermediateSize
  return (
    mlp.sharedExperts * feedForward(hiddenSize, size, mlp.gated, mlp.expertBias === true) +
    (mlp.sharedExpertGate === true ? hiddenSize : 0)
  )
}

/** Parameters of a layer's router. */
export const routerParameters = (mlp: MoeMlp, hiddenSize: number): number =>
  hiddenSize * mlp.experts + (mlp.routerBias === true ? mlp.experts : 0)

/** Parameters of a layer's MLP: all of them, and those one token uses. */
export const mlpParameters = (mlp: Mlp, hiddenSize: number): { total: number; activated: number } => {
  if (mlp.kind === 'dense') {
    const total = denseMlpParameters(mlp, hiddenSize)
    return { total, activated: total }
  }
  const always = sharedExpertParameters(mlp, hiddenSize) + routerParameters(mlp, hiddenSize)
  const expert = expertParameters(mlp, hiddenSize)
  return { total: always + mlp.experts * expert, activated: always + mlp.expertsPerToken * expert }
}
