import type { Accelerator } from '@windtunnel/hardware'
import { matmulFlopsPerSecond, type StepDtype, storedBytes } from '../../step/dtypes.ts'

/** Datasheet figures to which fitted efficiencies refer. Dense FLOP/s by format. */
export interface Peaks {
  flopsPerSecond: Readonly<Partial<Record<StepDtype, number>>>
  hbmBytesPerSecond: number
  l2Bytes: number
}

/** Figures that the kernels use where an accelerator names no L2: half of an H100's 50 MB. */
const UNKNOWN_L2_BYTES = 25e6

export const peaksOf = (accelerator: Accelerator): Peaks => ({
  flopsPerSecond: {
    bf16: matmulFlopsPerSecond(accelerator, 'bf16'),
    fp8: matmulFlopsPerSecond(accelerator, 'fp8'),
    int8: matmulFlopsPerSecond(accelerator, 'int8'),
    'fp8-block': matmulFlopsPerSecond(accelerator, 'fp8-block'),
    nvfp4: matmulFlopsPerSecond(accelerator, 'nvfp4'),
  },
  hbmBytesPerSecond: accelerator.hbmBytesPerSecond,
  l2Bytes: accelerator.l2Bytes ?? accelerator.vmemBytes ?? UNKNOWN_L2_BYTES,
})

/** Peak for a format, or the widest narrower-than-asked format known, down to bf16. */
export function peakFor(peaks: Peaks, dtype: StepDtype): number {
  const { flopsPerSecond } = peaks
  if (dtype === 'fp8-block') return flopsPerSecond['fp8-block'] ?? flopsPerSecond.fp8 ?? flopsPerSecond.bf16 ?? 0
  if (dtype === 'fp4' || dtype === 'mxfp4')
    return flopsPerSecond.nvfp4 ?? flopsPerSecond.fp8 ?? flopsPerSecond.bf16 ?? 0
  return flopsPerSecond[dtype] ?? flopsPerSecond.bf16 ?? 0
}

export const bytesOf = (dtype: StepDtype): number => storedBytes[dtype]
