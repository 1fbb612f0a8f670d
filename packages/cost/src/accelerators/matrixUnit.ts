import { requireCount, requirePositive } from '../costInputError.ts'

/** A systolic matrix unit: one instruction multiplies `[lhsRows, rows] x [rows, columns]` every `cyclesPerOp` cycles. */
export interface MatrixUnit {
  readonly rows: number
  readonly columns: number
  /** 8 unless given. */
  readonly lhsRows?: number
  /** 8 unless given. */
  readonly cyclesPerOp?: number
}

/**
 * FLOP per cycle of one matrix unit: `2 x 8 x s x s / 8 = 2 s^2`; 32768 for s = 128, four times that for 256. Book
 * ch. 2, H1.
 */
export function matrixUnitFlopsPerCycle(unit: MatrixUnit): number {
  const { rows, columns, lhsRows = 8, cyclesPerOp = 8 } = unit
  requirePositive('matrixUnitFlopsPerCycle', { rows, columns, lhsRows, cyclesPerOp })
  return (2 * lhsRows * rows * columns) / cyclesPerOp
}

/** Peaks of one unit and of a chip with `units` of them, FLOP/s: FLOP/cycle x clock x units. Book ch. 2, H1. */
export function matrixPeak(of: MatrixUnit & { readonly clockHz: number; readonly units?: number }): {
  readonly flopsPerCycle: number
  readonly unitFlopsPerSecond: number
  readonly chipFlopsPerSecond: number
} {
  const { clockHz, units = 1 } = of
  requirePositive('matrixPeak', { clockHz })
  requireCount('matrixPeak', { units })
  const flopsPerCycle = matrixUnitFlopsPerCycle(of)
  const unitFlopsPerSecond = flopsPerCycle * clockHz
  return { flopsPerCycle, unitFlopsPerSecond, chipFlopsPerSecond: unitFlopsPerSecond * units }
}
