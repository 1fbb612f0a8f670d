import { nelderMead } from '@windtunnel/cost/calibration/fitting/nelderMead'
import type { FittedEngine, ParameterFile } from '@windtunnel/cost/calibration/parameterFile'
import { engineOverheadsFor } from '@windtunnel/cost/step/engineOverheads/index'
import { type ErrorSummary, summaryOf } from '../validate/errors.ts'
import type { MeasuredDirectory } from '../validate/measured/directory.ts'
import { type MeasuredRun, type Quantity, quantities } from '../validate/measured/measuredRun.ts'
import { MeasuredRunError } from '../validate/measured/measuredRunError.ts'
import type { Tuning } from '../validate/predict/tuning.ts'
import { validatedRun } from '../validate/validation.ts'
import { knobs, tuningAt } from './overheadKnobs.ts'

export type Errors = Partial<Record<Quantity, ErrorSummary>>

/** What a fit to serving runs of one engine found. */
export interface ServingFit {
  engine: string
  runs: readonly string[]
  values: { name: string; meaning: string; before: number; after: number }[]
  before: Errors
  after: Errors
  /** Each run predicted by a fit to the others; absent for fewer than three runs. */
  leftOut?: Errors
}

export interface ServingCalibration {
  file: ParameterFile
  fits: ServingFit[]
}

/** Errors above this count less: a run that the model cannot explain must not bend the rest. */
const ROBUST_FROM = 0.2

const ITERATIONS = 60

/**
 * Fits the few overheads of each engine to the runs of a directory: one set for all runs of an engine and version.
 * Throws MeasuredRunError when there are no runs to fit to.
 */
export function calibrateServing(directory: MeasuredDirectory, where: string): ServingCalibration {
  const groups = new Map<string, MeasuredRun[]>()
  for (const run of directory.runs) {
    if (run.unscored !== undefined) continue
    const { name, version } = run.deployment.engine
    const engine = `${name}-${version}`
    groups.set(engine, [...(groups.get(engine) ?? []), run])
  }
  if (groups.size === 0) throw new MeasuredRunError(where, 'holds no runs whose engine and version are stated')
  const fits = [...groups].map(([engine, runs]) => servingFit(engine, runs))
  const engines = fits.map((fit) => fittedEngineOf(fit, where))
  return { file: { windtunnelParameters: 1, kernels: [], engines }, fits }
}

function servingFit(engine: string, runs: readonly MeasuredRun[]): ServingFit {
  const { overheads } = engineOverheadsFor(engine)
  const start = knobs.map((knob) => {
    const [group, name] = knob.name.split('.') as ['step' | 'frontEnd', string]
    return (overheads[group] as unknown as Record<string, number>)[name] ?? 0
  })
  const after = fittedTo(runs, start)
  return {
    engine,
    runs: runs.map((run) => run.id),
    values: knobs.map(({ name, meaning }, i) => ({ name, meaning, before: start[i]!, after: after[i]! })),
    before: errorsOf(runs, () => ({})),
    after: errorsOf(runs, () => tuningAt(after)),
    ...(runs.length < 3 ? {} : { leftOut: leftOutErrors(runs, start) }),
  }
}

/** Fits to all runs but those with the same model, or but the one where all have the same. */
function leftOutErrors(runs: readonly MeasuredRun[], start: readonly number[]): Errors {
  const models = [...new Set(runs.map((run) => run.deployment.model))]
  const keyOf = (run: MeasuredRun): string => (models.length > 1 ? run.deployment.model : run.id)
  const keys = [...new Set(runs.map(keyOf))]
  const tunings = new Map(
    keys.map((key) => {
      const others = runs.filter((run) => keyOf(run) !== key)
      return [key, tuningAt(fittedTo(others, start))] as const
    }),
  )
  return errorsOf(runs, (run) => tunings.get(keyOf(run)) ?? {})
}

/** Values >= 0 that make the runs' mean robust error least. */
function fittedTo(runs: readonly MeasuredRun[], start: readonly number[]): number[] {
  const valuesAt = (at: readonly number[]): number[] => at.map((x, i) => Math.max(0, start[i]! + x * knobs[i]!.scale))
  const objective = (at: readonly number[]): number => {
    const tuning = tuningAt(valuesAt(at))
    let sum = 0
    let count = 0
    for (const run of runs) {
      const { errors } = validatedRun(run, tuning)
      for (const quantity of ['e2e', 'tpot', 'ttft'] as const) {
        const error = errors[quantity]
        if (error === undefined) continue
        const size = Math.abs(error)
        sum += size < ROBUST_FROM ? size : ROBUST_FROM + (size - ROBUST_FROM) / 4
        count += 1
      }
    }
    return count === 0 ? 0 : sum / count
  }
  const found = nelderMead(
    objective,
    knobs.map(() => 0),
    0.5,
    ITERATIONS,
  )
  return valuesAt(found.at)
}

function errorsOf(runs: readonly MeasuredRun[], tuningOf: (run: MeasuredRun) => Tuning): Errors {
  const signed = new Map<Quantity, number[]>()
  for (const run of runs) {
    const { errors } = validatedRun(run, tuningOf(run))
    for (const quantity of quantities) {
      const error = errors[quantity]
      if (error !== undefined) signed.set(quantity, [...(signed.get(quantity) ?? []), error])
    }
  }
  const found: Errors = {}
  for (const [quantity, values] of signed) {
    const summary = summaryOf(values)
    if (summary !== undefined) found[quantity] = summary
  }
  return found
}

function fittedEngineOf(fit: ServingFit, where: string): FittedEngine {
  const group = (name: 'step' | 'frontEnd'): Record<string, number> =>
    Object.fromEntries(
      fit.values.flatMap((value) => {
        const [owner, field] = value.name.split('.')
        return owner === name && field !== undefined ? [[field, value.after]] : []
      }),
    )
  return {
    name: fit.engine,
    source: `fitted to ${fit.runs.length} runs in ${where}`,
    step: group('step'),
    frontEnd: group('frontEnd'),
  }
}
