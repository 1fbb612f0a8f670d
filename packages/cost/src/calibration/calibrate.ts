import type { StepDtype } from '../step/dtypes.ts'
import { compareVersions } from './compareVersions.ts'
import { type Fit, type Form, fitBest, fitForm } from './fitting/fitForm.ts'
import type { Residuals } from './fitting/residuals.ts'
import { allReduceForm } from './forms/allReduceForm.ts'
import {
  decodeAttentionForm,
  fitPrefillAttention,
  isDecodeRow,
  isLatentDecodeRow,
  isLatentPrefillRow,
  isPrefillRow,
  latentDecodeForm,
  latentPrefillForm,
} from './forms/attentionForms.ts'
import { expertForms, hasFewExperts, isExpertRow } from './forms/expertForm.ts'
import { gemmForm, isGemmRow } from './forms/gemmForm.ts'
import type { AllReduceTable, KernelParameters } from './kernelParameters.ts'
import type { KernelRow } from './kernelRow.ts'
import { defaultElementwise } from './kernels/elementwise.ts'
import type { Peaks } from './kernels/peaks.ts'

/** How well one operation was fitted. */
export interface FittedOperation {
  operation: string
  dtype: StepDtype
  /** The kernel whose rows were used: the one with most rows. */
  kernel: string
  seen: Residuals | undefined
  unseen: Residuals | undefined
}

export interface Calibration {
  parameters: KernelParameters
  fitted: FittedOperation[]
}

/** Fewer rows than this do not fix a form. */
const LEAST_ROWS = 12
const LEAST_COLLECTIVE_ROWS = 5

/**
 * Fits every kernel of one accelerator to measured rows (all of that accelerator; formats and operations apart). Every
 * fourth row of each fit is kept out and judged as unseen. Operations with too few rows are left out.
 */
export function calibrate(
  rows: readonly KernelRow[],
  target: { accelerator: string; source: string; peaks: Peaks },
): Calibration {
  const { peaks } = target
  const fitted: FittedOperation[] = []
  const fit = <P extends object>(
    operation: string,
    fitRows: (peaks: Peaks, dtype: StepDtype, rows: readonly KernelRow[]) => Fit<P>,
    isRow: (row: KernelRow) => boolean,
  ): Partial<Record<StepDtype, P>> => {
    const parameters: Partial<Record<StepDtype, P>> = {}
    for (const [dtype, group] of byDtype(rows.filter(isRow))) {
      const { kernel, rows: used } = mostMeasured(group)
      if (used.length < LEAST_ROWS) continue
      const found = fitRows(peaks, dtype, used)
      parameters[dtype] = found.parameters
      fitted.push({ operation, dtype, kernel, seen: found.seen, unseen: found.unseen })
    }
    return parameters
  }
  const parameters: KernelParameters = {
    ...target,
    gemm: fit('gemm', one(gemmForm), isGemmRow),
    decodeAttention: fit('decode attention', one(decodeAttentionForm), isDecodeRow),
    prefillAttention: fit('prefill attention', fitPrefillAttention, isPrefillRow),
    latentDecode: fit('latent decode attention', one(latentDecodeForm), isLatentDecodeRow),
    latentPrefill: fit('latent prefill attention', one(latentPrefillForm), isLatentPrefillRow),
    fewExperts: fit('few experts', fitExperts, (row) => isExpertRow(row) && hasFewExperts(row)),
    manyExperts: fit('many experts', fitExperts, (row) => isExpertRow(row) && !hasFewExperts(row)),
    smallAllReduce: allReduces(rows, 'vLLM_custom_graph', fitted),
    largeAllReduce: allReduces(rows, 'nccl', fitted),
    elementwise: defaultElementwise,
    serving: { matmulCompute: 1, matmulMemory: 1, unevenContexts: 1 },
  }
  return { parameters, fitted }
}

const one =
  <P extends object>(form: (peaks: Peaks, dtype: StepDtype) => Form<P, KernelRow>) =>
  (peaks: Peaks, dtype: StepDtype, rows: readonly KernelRow[]): Fit<P> =>
    fitForm(form(peaks, dtype), rows)

const fitExperts = (peaks: Peaks, dtype: StepDtype, rows: readonly KernelRow[]) =>
  fitBest(expertForms(peaks, dtype), rows)

function byDtype(rows: readonly KernelRow[]): Map<StepDtype, KernelRow[]> {
  const groups = new Map<StepDtype, KernelRow[]>()
  for (const row of rows) groups.set(row.dtype, [...(groups.get(row.dtype) ?? []), row])
  return groups
}

const kernelOf = (row: KernelRow): string => row.kernel.split('|')[0]!

function mostMeasured(rows: readonly KernelRow[]): { kernel: string; rows: KernelRow[] } {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(kernelOf(row), (counts.get(kernelOf(row)) ?? 0) + 1)
  let kernel = ''
  for (const [name, count] of counts) if (count > (counts.get(kernel) ?? 0)) kernel = name
  return { kernel, rows: rows.filter((row) => kernelOf(row) === kernel) }
}

const versionOf = (row: KernelRow): string => row.source.split('/').at(-1)!

/** One table for every version of the software, versions ascending; a number of ranks with few rows is left out. */
function allReduces(rows: readonly KernelRow[], software: string, fitted: FittedOperation[]): AllReduceTable[] {
  const own = rows.filter((row) => row.operation === 'all_reduce' && row.kernel === software)
  const versions = [...new Set(own.map(versionOf))].sort(compareVersions)
  const tables = versions.map((version): AllReduceTable => {
    const ofVersion = own.filter((row) => versionOf(row) === version)
    const ranks = [...new Set(ofVersion.map((row) => row.sizes['world_size']!))].sort((a, b) => a - b)
    const byRanks = ranks.flatMap((count) => {
      const used = ofVersion.filter((row) => row.sizes['world_size'] === count)
      if (used.length < LEAST_COLLECTIVE_ROWS) return []
      const { parameters, seen, unseen } = fitForm(allReduceForm(count), used)
      fitted.push({
        operation: `all-reduce of ${count}`,
        dtype: used[0]!.dtype,
        kernel: `${software} ${version}`,
        seen,
        unseen,
      })
      return [parameters]
    })
    return { software, version, byRanks }
  })
  return tables.filter((table) => table.byRanks.length > 0)
}
