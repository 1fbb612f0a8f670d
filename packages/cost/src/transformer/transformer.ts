import { requireNonNegative, requirePositive } from '../costInputError.ts'
import { type AttentionShape, attentionProjectionParams } from './attention.ts'
import { type MlpShape, mlpParams } from './mlp.ts'
import { vocabularyParams } from './vocabulary.ts'

/** The sizes that fix a transformer's parameters. */
export interface TransformerShape extends AttentionShape, MlpShape {
  layers: number
  vocabulary: number
  /** Whether the input and output embeddings are one matrix. */
  tied: boolean
  /** Vectors of `dModel` norm parameters per layer: 2 in the latest edition, 1 in that of February 2025, 0 to leave out. */
  normsPerLayer: number
  /** Routed experts per layer; 1 for a dense model. */
  experts: number
  /** Experts a token visits; 1 for a dense model. */
  expertsPerToken: number
}

export interface ParamCount {
  mlp: number
  attention: number
  norms: number
  vocabulary: number
  /** Sum of the above. */
  total: number
  /** The same with `expertsPerToken` in place of `experts`: what one token touches. */
  activated: number
  /** Attention over all parameters of the layers, norms left out. */
  attentionShareOfLayers: number
  attentionShareOfTotal: number
}

/**
 * Parameters by part: `L(3EDF + 2D(N+K)H + nD) + (1 or 2)DV`; activated with k experts in place of E. The router's DE per
 * layer is left out, as in the book. Book ch. 4, M7 and M9.
 */
export function transformerParams(shape: TransformerShape): ParamCount {
  const { layers, dModel, normsPerLayer, experts, expertsPerToken } = shape
  requirePositive('transformerParams', { layers, experts, expertsPerToken })
  requireNonNegative('transformerParams', { normsPerLayer })
  const oneExpert = layers * mlpParams(shape)
  const mlp = oneExpert * experts
  const attention = layers * attentionProjectionParams(shape)
  const norms = layers * normsPerLayer * dModel
  const vocabulary = vocabularyParams(shape)
  const total = mlp + attention + norms + vocabulary
  return {
    mlp,
    attention,
    norms,
    vocabulary,
    total,
    activated: total - mlp + oneExpert * expertsPerToken,
    attentionShareOfLayers: attention / (attention + mlp),
    attentionShareOfTotal: attention / total,
  }
}

/** How much of the forward pass is kept for the backward pass: everything, or only each block's input. */
export type Rematerialisation = 'none' | 'block'

/**
 * FLOPs per parameter and token of a training step: 2 forward and 4 backward, and 2 more where block rematerialisation
 * repeats the forward pass. Book ch. 4, M7.
 */
export const trainingFlopsPerParamToken = (rematerialisation: Rematerialisation): number =>
  2 + 4 + (rematerialisation === 'block' ? 2 : 0)

/** FLOPs of training on `tokens` tokens without dot-product attention: 6 x activated params x tokens (8 with remat). M7. */
export function trainingFlops(inputs: {
  activatedParams: number
  tokens: number
  rematerialisation?: Rematerialisation
}): number {
  const { activatedParams, tokens, rematerialisation = 'none' } = inputs
  requirePositive('trainingFlops', { activatedParams, tokens })
  return trainingFlopsPerParamToken(rematerialisation) * activatedParams * tokens
}

/** FLOPs of the forward pass over `tokens` tokens without dot-product attention: 2 x activated params x tokens. M7, M9. */
export function forwardFlops(inputs: { activatedParams: number; tokens: number }): number {
  const { activatedParams, tokens } = inputs
  requirePositive('forwardFlops', { activatedParams, tokens })
  return 2 * activatedParams * tokens
}

/** Model FLOPs utilisation: 6 x activated params x tokens over what the devices could have done in the time. M15. */
export function modelFlopsUtilisation(inputs: {
  activatedParams: number
  tokens: number
  /** Devices x seconds. */
  deviceSeconds: number
  peakFlopsPerSecond: number
}): { usedFlops: number; availableFlops: number; utilisation: number } {
  const { activatedParams, tokens, deviceSeconds, peakFlopsPerSecond } = inputs
  requirePositive('modelFlopsUtilisation', { deviceSeconds, peakFlopsPerSecond })
  const usedFlops = trainingFlops({ activatedParams, tokens })
  const availableFlops = deviceSeconds * peakFlopsPerSecond
  return { usedFlops, availableFlops, utilisation: usedFlops / availableFlops }
}
