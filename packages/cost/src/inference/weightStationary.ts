import { requirePositive } from '../costInputError.ts'
import { moveSeconds } from '../rooflines/time.ts'

/** Weights that stay where they are while activations move; the batch is too small for anything else. */
export interface StationaryLayer {
  chips: number
  batchTokens: number
  dModel: number
  dFf: number
  /** One axis, both directions. */
  linkBytesPerSecond: number
  /** 2 (bf16) in the book. */
  bytesPerElement?: number
}

function check(where: string, layer: StationaryLayer): void {
  const { chips, batchTokens, dModel, dFf, linkBytesPerSecond, bytesPerElement = 2 } = layer
  requirePositive(where, { chips, batchTokens, dModel, dFf, linkBytesPerSecond, bytesPerElement })
}

/**
 * Communication of one layer with weights split in two dimensions, D over X and F over YZ chips:
 * `2BD/(X W) + 4BF/(YZ W)` in bf16. Without `modelShards` the best X is used, sqrt(N D/(2F)), kept between 1 and N, and
 * YZ = N/X. Book ch. 7, I9.
 */
export function twoDimensionalWeightStationary(
  inputs: StationaryLayer & {
    /** Chips that split D, X; the others split F. */
    modelShards?: number
  },
): { modelShards: number; feedForwardShards: number; commsSeconds: number } {
  const { chips, batchTokens, dModel, dFf, linkBytesPerSecond, bytesPerElement = 2 } = inputs
  check('twoDimensionalWeightStationary', inputs)
  const best = Math.min(Math.max(Math.sqrt((chips * dModel) / (2 * dFf)), 1), chips)
  const modelShards = inputs.modelShards ?? best
  requirePositive('twoDimensionalWeightStationary', { modelShards })
  const feedForwardShards = chips / modelShards
  const bytes = bytesPerElement * batchTokens * (dModel / modelShards + (2 * dFf) / feedForwardShards)
  return { modelShards, feedForwardShards, commsSeconds: moveSeconds(bytes, linkBytesPerSecond) }
}

/** Communication of one layer with F split over all chips: `4BD/(axes W)` in bf16. Book ch. 7, I9. */
export function oneDimensionalWeightStationary(
  inputs: Omit<StationaryLayer, 'chips' | 'dFf'> & {
    /** Hardware axes the collectives span. */
    axes: number
  },
): { commsSeconds: number } {
  const { batchTokens, dModel, linkBytesPerSecond, axes, bytesPerElement = 2 } = inputs
  requirePositive('oneDimensionalWeightStationary', { batchTokens, dModel, linkBytesPerSecond, axes, bytesPerElement })
  const bytes = 2 * bytesPerElement * batchTokens * dModel
  return { commsSeconds: moveSeconds(bytes, axes * linkBytesPerSecond) }
}

/**
 * Chips above which two dimensions communicate less than one over `axes`: `32 (F/D)(axes/4)^2`, 72 for F=4D on 3 axes
 * (the edition of February 2025 prints 81); and the constant c of the best time `c B D/(sqrt(N) W)`, sqrt(32 F/D). I9.
 */
export function twoDimensionalMinChips(inputs: { dFfPerDModel: number; axes: number }): {
  minChips: number
  commsConstant: number
} {
  const { dFfPerDModel, axes } = inputs
  requirePositive('twoDimensionalMinChips', { dFfPerDModel, axes })
  return { minChips: 2 * dFfPerDModel * axes * axes, commsConstant: Math.sqrt(32 * dFfPerDModel) }
}

/** Both, and which communicates less. Book ch. 7, I9. */
export function weightStationaryChoice(inputs: StationaryLayer & { axes: number }): {
  modelShards: number
  feedForwardShards: number
  twoDimensionalSeconds: number
  oneDimensionalSeconds: number
  better: '1d' | '2d'
} {
  const two = twoDimensionalWeightStationary(inputs)
  const one = oneDimensionalWeightStationary(inputs)
  return {
    modelShards: two.modelShards,
    feedForwardShards: two.feedForwardShards,
    twoDimensionalSeconds: two.commsSeconds,
    oneDimensionalSeconds: one.commsSeconds,
    better: two.commsSeconds < one.commsSeconds ? '2d' : '1d',
  }
}
