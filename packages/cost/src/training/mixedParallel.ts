import { requirePositive } from '../costInputError.ts'
import { moveSeconds } from '../rooflines/time.ts'
import {
  checkLayer,
  type LayerTime,
  layerActivationBytes,
  layerMathSeconds,
  layerTime,
  layerWeightBytes,
  type TrainingChip,
  type TrainingLayer,
  type TrainingVerdict,
  verdictOf,
} from './layer.ts'
import { nearestPowerOfTwo, powerOfTwoBelow } from './powersOfTwo.ts'

/**
 * Whether the collectives of the two strategies run at the same time on their own axes (`overlapped`, the latest edition)
 * or one after the other (`serial`, the edition of February 2025). Arithmetic overlaps with communication in both.
 */
export const axisOverlaps = ['overlapped', 'serial'] as const
export type AxisOverlap = (typeof axisOverlaps)[number]

/** Fully sharded data parallelism over X and tensor parallelism over Y, with the hardware axes each spans. */
export interface MixedShards {
  /** X. */
  fsdpShards: number
  /** Y. */
  tensorShards: number
  /** M_X. */
  fsdpAxes: number
  /** M_Y. */
  tensorAxes: number
}

export interface MixedLayerTime extends LayerTime {
  fsdpSeconds: number
  tensorSeconds: number
}

/**
 * Forward pass of one layer under both: T_fsdp = 4DF/(Y W M_X), T_tp = 4BD/(X W M_Y), arithmetic 4BDF/(XYC), in bf16. A
 * strategy over one shard has nothing to communicate. The backward pass doubles all three. Book ch. 5, T5.
 */
export function mixedForward(
  inputs: TrainingLayer & TrainingChip & MixedShards & { overlap: AxisOverlap },
): MixedLayerTime {
  const { linkBytesPerSecond: link, fsdpShards, tensorShards, fsdpAxes, tensorAxes, overlap } = inputs
  checkLayer('mixedForward', inputs, inputs, { fsdpShards, tensorShards, fsdpAxes, tensorAxes })
  const fsdp = fsdpShards === 1 ? 0 : moveSeconds(layerWeightBytes(inputs) / tensorShards, link * fsdpAxes)
  const tensor = tensorShards === 1 ? 0 : moveSeconds(layerActivationBytes(inputs) / fsdpShards, link * tensorAxes)
  return mixedTime(layerMathSeconds(inputs, inputs, fsdpShards * tensorShards, 'forward'), fsdp, tensor, overlap)
}

/** The three times of a mixed layout put together. Seconds. */
export function mixedTime(
  mathSeconds: number,
  fsdpSeconds: number,
  tensorSeconds: number,
  overlap: AxisOverlap,
): MixedLayerTime {
  const comms = overlap === 'overlapped' ? Math.max(fsdpSeconds, tensorSeconds) : fsdpSeconds + tensorSeconds
  return { ...layerTime(mathSeconds, comms), fsdpSeconds, tensorSeconds }
}

/**
 * The split of N chips that communicates least, X = sqrt((B/F)(M_X/M_Y)N), Y = N/X, whether the two strategies overlap or
 * not; as it stands and in powers of two (X to the nearest, Y the largest that then fits). X is kept between 1 and N:
 * beyond, one strategy alone is best and `pure` names it. Book ch. 5, T6.
 */
export function bestFsdpShards(inputs: {
  batchTokens: number
  dFf: number
  chips: number
  fsdpAxes: number
  tensorAxes: number
}): {
  /** X_opt as the formula has it, below 1 and above N too. */
  unboundedFsdpShards: number
  fsdpShards: number
  tensorShards: number
  roundedFsdpShards: number
  roundedTensorShards: number
  pure: 'fsdp' | 'tensor' | undefined
} {
  const { batchTokens, dFf, chips, fsdpAxes, tensorAxes } = inputs
  requirePositive('bestFsdpShards', { batchTokens, dFf, chips, fsdpAxes, tensorAxes })
  const unbounded = Math.sqrt((batchTokens / dFf) * (fsdpAxes / tensorAxes) * chips)
  const fsdpShards = Math.min(Math.max(unbounded, 1), chips)
  const roundedFsdpShards = Math.min(nearestPowerOfTwo(fsdpShards), powerOfTwoBelow(chips))
  return {
    unboundedFsdpShards: unbounded,
    fsdpShards,
    tensorShards: chips / fsdpShards,
    roundedFsdpShards,
    roundedTensorShards: powerOfTwoBelow(chips / roundedFsdpShards),
    pure: unbounded >= chips ? 'fsdp' : unbounded <= 1 ? 'tensor' : undefined,
  }
}

/**
 * Tokens per chip above which the best mix is compute-bound: alpha^2/(M_X M_Y F) if the strategies overlap (T7, latest
 * edition), four times that if not (T8, February 2025). In bf16; bytes per element b scale it by (b/2)^2.
 */
export function mixedMinTokensPerChip(inputs: {
  criticalIntensity: number
  dFf: number
  /** M_X M_Y: 2 on a 3D torus split 2 and 1, 1 on a 2D torus. */
  axesProduct: number
  overlap: AxisOverlap
  bytesPerElement?: number
}): number {
  const { criticalIntensity, dFf, axesProduct, overlap, bytesPerElement = 2 } = inputs
  requirePositive('mixedMinTokensPerChip', { criticalIntensity, dFf, axesProduct, bytesPerElement })
  const scaled = (criticalIntensity * bytesPerElement) / 2
  return ((overlap === 'overlapped' ? 1 : 4) * scaled * scaled) / (axesProduct * dFf)
}

/** Whether a batch over `chips` is above that threshold, and by how much arithmetic exceeds communication. T7, T8. */
export function mixedRegime(inputs: {
  batchTokens: number
  chips: number
  criticalIntensity: number
  dFf: number
  axesProduct: number
  overlap: AxisOverlap
  bytesPerElement?: number
}): {
  tokensPerChip: number
  minTokensPerChip: number
  minBatchTokens: number
  /** Arithmetic over communication at the best split: above 1 means compute-bound. */
  mathOverComms: number
  verdict: TrainingVerdict
} {
  const { batchTokens, chips } = inputs
  requirePositive('mixedRegime', { batchTokens, chips })
  const minTokensPerChip = mixedMinTokensPerChip(inputs)
  const tokensPerChip = batchTokens / chips
  return {
    tokensPerChip,
    minTokensPerChip,
    minBatchTokens: minTokensPerChip * chips,
    mathOverComms: Math.sqrt(tokensPerChip / minTokensPerChip),
    verdict: verdictOf(tokensPerChip > minTokensPerChip),
  }
}
