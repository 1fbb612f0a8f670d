import type { StepDtype } from '../../step/dtypes.ts'
import type { Form } from '../fitting/fitForm.ts'
import type { KernelRow } from '../kernelRow.ts'
import { type ExpertParameters, expertSeconds, FEW_EXPERTS } from '../kernels/experts.ts'
import type { Peaks } from '../kernels/peaks.ts'

/** Columns tokens, hidden, inter, topk, experts, tp, ep; the kernel's name ends with its routing (`|balanced` or a power law). */
const expertForm = (peaks: Peaks, dtype: StepDtype, widthTile: number): Form<ExpertParameters, KernelRow> => ({
  fixed: { widthTile },
  ranges: {
    computeEfficiency: { start: 0.5, least: 0.02, most: 1.3 },
    memoryEfficiency: { start: 0.75, least: 0.02, most: 1.1 },
    fixedSeconds: { start: 2e-5, least: 1e-6, most: 3e-4 },
    norm: { start: 2, least: 0.8, most: 8 },
    secondsPerVisit: { start: 1e-9, least: 1e-13, most: 1e-7 },
    skewMemory: { start: 0.95, least: 0.5, most: 3 },
    skewCompute: { start: 1.3, least: 0.5, most: 4 },
  },
  seconds: (parameters, { sizes, kernel }) =>
    expertSeconds(
      parameters,
      peaks,
      dtype,
      {
        tokens: sizes['tokens']!,
        hiddenSize: sizes['hidden']!,
        intermediateSize: sizes['inter']! / sizes['tp']!,
        expertsPerToken: sizes['topk']!,
        experts: sizes['experts']!,
        expertParallelRanks: sizes['ep']!,
      },
      kernel.endsWith('balanced') ? 0 : 1,
    ),
})

/** One form for each width to which a kernel may pad narrow experts; 1 for kernels that do not. */
export const expertForms = (peaks: Peaks, dtype: StepDtype): Form<ExpertParameters, KernelRow>[] =>
  [1, 64, 128, 256].map((widthTile) => expertForm(peaks, dtype, widthTile))

/** Rows to fit to: whole layers on tensor ranks only (tables with expert ranks compute masked experts), and none suspect. */
export const isExpertRow = (row: KernelRow): boolean => row.operation === 'moe' && row.sizes['ep'] === 1 && !row.suspect

export const hasFewExperts = (row: KernelRow): boolean => row.sizes['experts']! <= FEW_EXPERTS
