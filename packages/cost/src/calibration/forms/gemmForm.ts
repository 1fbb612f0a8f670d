import type { StepDtype } from '../../step/dtypes.ts'
import type { Form } from '../fitting/fitForm.ts'
import type { KernelRow } from '../kernelRow.ts'
import { type GemmParameters, gemmSeconds } from '../kernels/gemm.ts'
import { bytesOf, type Peaks } from '../kernels/peaks.ts'

const share = (start: number) => ({ start, least: 0.02, most: 1.2 })

/** Columns m, n, k. 8- and 4-bit rows include the quantisation of activations. */
export function gemmForm(peaks: Peaks, dtype: StepDtype): Form<GemmParameters, KernelRow> {
  const common = {
    computeEfficiency: share(0.75),
    memoryEfficiency: share(0.85),
    fixedSeconds: { start: 4e-6, least: 5e-7, most: 5e-5 },
    norm: { start: 1.7, least: 0.8, most: 8 },
    secondsPerInput: { start: 5e-10, least: 1e-13, most: 1e-8 },
  }
  return {
    fixed: {},
    ranges: bytesOf(dtype) < 2 ? { ...common, quantisationEfficiency: share(0.4) } : common,
    seconds: (parameters, { sizes }) =>
      gemmSeconds(parameters, peaks, dtype, { rows: sizes['m']!, outputs: sizes['n']!, inputs: sizes['k']! }),
  }
}

export const isGemmRow = (row: KernelRow): boolean => row.operation === 'gemm'
