import type { StepDtype } from '../step/dtypes.ts'

/**
 * One measured kernel. Heads, matrix sizes and bytes are of one rank; tokens of experts are global before top-k, and
 * expert width and count are of the whole layer (divide by tensor and expert ranks).
 */
export interface KernelRow {
  accelerator: string
  dtype: StepDtype
  operation: string
  kernel: string
  source: string
  seconds: number
  /** More bandwidth than the hardware has would be needed: a known defect of the table. */
  suspect: boolean
  /** The remaining columns of the table, by name: m, n, k, batch, q_len, kv_len, heads ... Blank ones are absent. */
  sizes: Readonly<Record<string, number>>
}
