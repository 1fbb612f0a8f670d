import { pow } from '@windtunnel/des'
import type { StepDtype } from '../../step/dtypes.ts'
import { powerSum } from '../powerSum.ts'
import { touchedAtSkew } from '../touchedAtSkew.ts'
import { bytesOf, type Peaks, peakFor } from './peaks.ts'

/** The experts of one layer as one rank sees them. */
export interface ExpertShape {
  tokens: number
  hiddenSize: number
  /** Width of one expert on the rank. */
  intermediateSize: number
  expertsPerToken: number
  /** Experts of the whole layer. */
  experts: number
  /** Ranks over which whole experts are spread. */
  expertParallelRanks: number
  /** Bytes of a stored weight where weights are kept in another format than they are multiplied in. */
  weightBytes?: number | undefined
}

/** Fitted figures of the grouped multiplication of experts in one format and class of models. */
export interface ExpertParameters {
  computeEfficiency: number
  memoryEfficiency: number
  fixedSeconds: number
  norm: number
  /** Gather, activation and scatter: seconds per visit of a token to an expert. */
  secondsPerVisit: number
  /** By how much a power law over experts divides each efficiency. */
  skewMemory: number
  skewCompute: number
  /** Columns to which the kernel pads the width of an expert on a rank; 1 where it does not. */
  widthTile: number
}

/** Few, wide experts (Mixtral, Llama 4) and many narrow ones behave differently. */
export const FEW_EXPERTS = 16

/** Rows to which the kernel pads the tokens of one expert. */
export function tileRows(visitsPerExpert: number): number {
  if (visitsPerExpert <= 16) return 16
  return visitsPerExpert <= 64 ? 64 : 128
}

/** The terms that partly hide each other, and the one that does not, in seconds. */
export function expertTerms(p: ExpertParameters, peaks: Peaks, dtype: StepDtype, shape: ExpertShape, skew: number) {
  const ranks = shape.expertParallelRanks
  const visits = (shape.tokens * shape.expertsPerToken) / ranks
  const touched = touchedAtSkew(shape.experts, shape.expertsPerToken, shape.tokens, skew) / ranks
  const padded = visits + (touched * tileRows(visits / touched)) / 2
  const layerElements = shape.hiddenSize * Math.ceil(shape.intermediateSize / p.widthTile) * p.widthTile
  const activationBytes = visits * (4 * shape.hiddenSize + 6 * shape.intermediateSize)
  const bytes = touched * 3 * layerElements * (shape.weightBytes ?? bytesOf(dtype)) + activationBytes
  const skewed = (factor: number): number => (skew === 0 ? 1 : pow(factor, skew))
  return {
    compute: ((6 * padded * layerElements) / peakFor(peaks, dtype) / p.computeEfficiency) * skewed(p.skewCompute),
    memory: (bytes / peaks.hbmBytesPerSecond / p.memoryEfficiency) * skewed(p.skewMemory),
    visits: visits * p.secondsPerVisit,
  }
}

/**
 * t0 + ((Fp/eta_c)^p + (V/eta_m)^p)^(1/p) + s visits, with FLOPs padded to half a tile for each expert touched.
 * `skew` from 0 (even) to 1 (power law of exponent 1.2). Seconds.
 */
export function expertSeconds(
  p: ExpertParameters,
  peaks: Peaks,
  dtype: StepDtype,
  shape: ExpertShape,
  skew: number,
): number {
  const { compute, memory, visits } = expertTerms(p, peaks, dtype, shape, skew)
  return p.fixedSeconds + powerSum(p.norm, compute, memory) + visits
}
