import { type ErrorSummary, errorsOf, summaryOf } from './errors.ts'
import type { MeasuredDirectory } from './measured/directory.ts'
import {
  type MeasuredRun,
  type NotBuilt,
  type Quantity,
  quantities,
  type RunErrors,
  type RunFigures,
} from './measured/measuredRun.ts'
import { type Prediction, predictRun } from './predict/predictRun.ts'
import type { Tuning } from './predict/tuning.ts'
import { type Composition, type PredictedStep, predictSteps } from './steps/predictSteps.ts'

/** One measured run, or one point of a sweep, beside its prediction. */
export interface ValidatedRun {
  run: MeasuredRun
  prediction: Prediction
  predicted: RunFigures
  measured: RunFigures
  errors: RunErrors
}

/** The iterations of one trace beside their prediction. */
export interface ValidatedTrace {
  id: string
  model: string
  accelerator: string
  steps: PredictedStep[]
  errors: Partial<Record<Composition | 'all', ErrorSummary>>
  remarks: string[]
  /** Why the trace is reported but not scored. */
  unscored?: string
}

export type Level = 'serving' | 'sweeps' | 'steps'
export type LevelSummary = Partial<Record<Quantity, ErrorSummary>>

/** Predicted against measured, of everything in a directory. */
export interface Validation {
  runs: ValidatedRun[]
  traces: ValidatedTrace[]
  notBuilt: NotBuilt[]
}

export interface ValidateOptions {
  tuning?: (run: MeasuredRun) => Tuning
  /** Called after every run. */
  onRun?: (done: number, of: number) => void
}

/** Simulates every measured run. A run that cannot be simulated is listed with the reason. */
export function validate(directory: MeasuredDirectory, options: ValidateOptions = {}): Validation {
  const validation: Validation = { runs: [], traces: [], notBuilt: [...directory.notBuilt] }
  directory.runs.forEach((run, i) => {
    try {
      validation.runs.push(validatedRun(run, options.tuning?.(run)))
    } catch (error) {
      addNotBuilt(validation.notBuilt, run, error)
    }
    options.onRun?.(i + 1, directory.runs.length)
  })
  for (const trace of directory.traces) {
    try {
      validation.traces.push(validatedTrace(trace))
    } catch (error) {
      validation.notBuilt.push({ id: trace.id, level: 'steps', reason: messageOf(error), points: 1, quantities: [] })
    }
  }
  return validation
}

export function validatedRun(run: MeasuredRun, tuning: Tuning = {}): ValidatedRun {
  const prediction = predictRun(run, tuning)
  const predicted = prediction.figures
  return { run, prediction, predicted, measured: run.measured, errors: errorsOf(predicted, run.measured, quantities) }
}

function validatedTrace(trace: MeasuredDirectory['traces'][number]): ValidatedTrace {
  const { steps, remarks } = predictSteps(trace)
  const errorsOf = (chosen: readonly PredictedStep[]) =>
    summaryOf(chosen.map((step) => step.predicted / step.measured - 1))
  const errors: ValidatedTrace['errors'] = {}
  const all = errorsOf(steps)
  if (all !== undefined) errors.all = all
  for (const composition of ['decode', 'prefill', 'mixed'] as const) {
    const found = errorsOf(steps.filter((step) => step.composition === composition))
    if (found !== undefined) errors[composition] = found
  }
  const unmeasured = remarks.find((remark) => /not measured/.test(remark))
  return {
    id: trace.id,
    model: trace.model,
    accelerator: trace.accelerator,
    steps,
    errors,
    remarks,
    ...(unmeasured === undefined ? {} : { unscored: `no kernel table for all of it: ${unmeasured}` }),
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Points of one sweep that fail alike are one entry. */
function addNotBuilt(notBuilt: NotBuilt[], run: MeasuredRun, error: unknown): void {
  const reason = messageOf(error)
  const same = notBuilt.find((entry) => entry.id === run.id && entry.reason === reason)
  if (same !== undefined) same.points += 1
  else {
    const measured = quantities.filter((quantity) =>
      quantity === 'throughput'
        ? run.measured.outputTokensPerSecond !== undefined
        : run.measured[quantity] !== undefined,
    )
    const unscored = run.unscored === undefined ? {} : { unscored: run.unscored }
    notBuilt.push({ id: run.id, level: run.level, reason, points: 1, quantities: measured, ...unscored })
  }
}

const isScored = ({ unscored }: { unscored?: string }): boolean => unscored === undefined

/** Errors of scored runs by quantity. One that was not built counts as an error of 100 % in what its level measures. */
export function summarise(
  runs: readonly ValidatedRun[],
  notBuilt: readonly NotBuilt[] = [],
  counts: (run: { unscored?: string }) => boolean = isScored,
): LevelSummary {
  const summary: LevelSummary = {}
  for (const quantity of quantities) {
    const signed = runs.flatMap(({ run, errors }) => {
      const error = counts(run) ? errors[quantity] : undefined
      return error === undefined ? [] : [error]
    })
    if (signed.length === 0) continue
    const lost = notBuilt
      .filter((entry) => counts(entry) && entry.quantities.includes(quantity))
      .reduce((sum, entry) => sum + entry.points, 0)
    const found = summaryOf([...signed, ...Array.from({ length: lost }, () => -1)])
    if (found !== undefined) summary[quantity] = found
  }
  return summary
}

/** Errors of single iterations of the scored traces, by what they computed. */
export function summariseSteps(traces: readonly ValidatedTrace[]): { [K in Composition | 'all']?: ErrorSummary } {
  const scored = traces.filter((trace) => trace.unscored === undefined).flatMap((trace) => trace.steps)
  const of = (composition: Composition | 'all') =>
    summaryOf(
      scored
        .filter((step) => composition === 'all' || step.composition === composition)
        .map((step) => step.predicted / step.measured - 1),
    )
  const summary: { [K in Composition | 'all']?: ErrorSummary } = {}
  for (const composition of ['all', 'decode', 'prefill', 'mixed'] as const) {
    const found = of(composition)
    if (found !== undefined) summary[composition] = found
  }
  return summary
}
