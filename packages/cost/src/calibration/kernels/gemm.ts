import type { StepDtype } from '../../step/dtypes.ts'
import { powerSum } from '../powerSum.ts'
import { bytesOf, type Peaks, peakFor } from './peaks.ts'

/** C[rows, outputs] = A[rows, inputs] B[inputs, outputs]. */
export interface GemmShape {
  rows: number
  outputs: number
  inputs: number
  /** Bytes of a stored weight where weights are kept in another format than they are multiplied in. */
  weightBytes?: number | undefined
}

/** Fitted figures of a matrix multiplication in one format on one accelerator. */
export interface GemmParameters {
  /** Share of peak FLOP/s, and of peak memory bandwidth, in the limit of large matrices. */
  computeEfficiency: number
  memoryEfficiency: number
  /** Launch and drain of the kernel. */
  fixedSeconds: number
  norm: number
  /** Serial part along the reduction: seconds per element of `inputs`. */
  secondsPerInput: number
  /** Share of memory bandwidth at which activations are quantised first; undefined for 16-bit formats. */
  quantisationEfficiency?: number | undefined
}

/** The three terms that partly hide each other, in seconds. */
export function gemmTerms(p: GemmParameters, peaks: Peaks, dtype: StepDtype, shape: GemmShape) {
  const { rows, outputs, inputs } = shape
  const weightBytes = inputs * outputs * (shape.weightBytes ?? bytesOf(dtype))
  const activationBytes = rows * inputs * bytesOf(dtype) + rows * outputs * 2
  const compute = (2 * rows * outputs * inputs) / peakFor(peaks, dtype) / p.computeEfficiency
  const memory = (weightBytes + activationBytes) / peaks.hbmBytesPerSecond / p.memoryEfficiency
  return { compute, memory, serial: inputs * p.secondsPerInput }
}

/** t0 + ((F/eta_c)^p + (V/eta_m)^p + (k s)^p)^(1/p), plus quantisation (2 + eb) m k / (eta_q bandwidth). Seconds. */
export function gemmSeconds(p: GemmParameters, peaks: Peaks, dtype: StepDtype, shape: GemmShape): number {
  const { compute, memory, serial } = gemmTerms(p, peaks, dtype, shape)
  const seconds = p.fixedSeconds + powerSum(p.norm, compute, memory, serial)
  if (p.quantisationEfficiency === undefined) return seconds
  const quantisedBytes = (2 + bytesOf(dtype)) * shape.rows * shape.inputs
  return seconds + quantisedBytes / peaks.hbmBytesPerSecond / p.quantisationEfficiency
}
