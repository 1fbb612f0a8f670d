import { exp, log } from '@windtunnel/des'
import { nelderMead } from './nelderMead.ts'
import { type Residuals, residualsOf } from './residuals.ts'

/** One parameter of a form: where the search starts and what is physically possible. All are above 0. */
export interface Range {
  start: number
  least: number
  most: number
}

/** A formula with named parameters, to be fitted to rows. */
export interface Form<Parameters, Row> {
  /** What the search may move. */
  ranges: { readonly [Name in keyof Parameters]?: Range }
  /** The parameters that stay as they are. */
  fixed: Partial<Parameters>
  seconds(parameters: Parameters, row: Row): number
}

export interface Fit<Parameters> {
  parameters: Parameters
  /** On the rows of the fit. */
  seen: Residuals | undefined
  /** On rows kept out of the fit. */
  unseen: Residuals | undefined
}

/** Log errors up to about this size count by their square, larger ones by their size: outliers do not steer the fit. */
const ROBUST_SCALE = 0.05

const robust = (logError: number): number => {
  const scaled = logError / ROBUST_SCALE
  return Math.sqrt(1 + scaled * scaled) - 1
}

/**
 * Fits a form to measured rows by downhill search on the logarithms of its parameters, minimising the robust mean of
 * log(predicted / measured). `isUnseen` picks rows that are kept out to judge the fit; by default every fourth. The
 * parameters returned come from all rows.
 */
export function fitForm<Parameters extends object, Row extends { seconds: number }>(
  form: Form<Parameters, Row>,
  rows: readonly Row[],
  isUnseen: (row: Row, index: number) => boolean = (_, index) => index % 4 === 3,
): Fit<Parameters> {
  const seen = rows.filter((row, index) => !isUnseen(row, index))
  const unseen = rows.filter((row, index) => isUnseen(row, index))
  const judged = search(form, seen, startOf(form))
  const parameters = search(form, rows, judged)
  return { parameters, seen: judge(form, judged, seen), unseen: judge(form, judged, unseen) }
}

const startOf = <Parameters, Row>(form: Form<Parameters, Row>): Parameters => {
  const start: Partial<Parameters> = { ...form.fixed }
  for (const name of Object.keys(form.ranges) as (keyof Parameters)[]) {
    start[name] = form.ranges[name]!.start as Parameters[keyof Parameters]
  }
  return start as Parameters
}

function search<Parameters extends object, Row extends { seconds: number }>(
  form: Form<Parameters, Row>,
  rows: readonly Row[],
  from: Parameters,
): Parameters {
  const names = Object.keys(form.ranges) as (keyof Parameters)[]
  const logs = rows.map((row) => log(row.seconds))
  const objective = (at: readonly number[]): number => {
    const { parameters, outside } = parametersAt(form, names, at)
    let sum = 0
    for (let i = 0; i < rows.length; i++) sum += robust(log(form.seconds(parameters, rows[i]!)) - logs[i]!)
    return (sum / rows.length) * (1 + outside)
  }
  const { at } = nelderMead(
    objective,
    names.map((name) => log(from[name] as number)),
    0.3,
  )
  return parametersAt(form, names, at).parameters
}

function parametersAt<Parameters extends object, Row>(
  form: Form<Parameters, Row>,
  names: readonly (keyof Parameters)[],
  at: readonly number[],
): { parameters: Parameters; outside: number } {
  const parameters: Partial<Parameters> = { ...form.fixed }
  let outside = 0
  names.forEach((name, i) => {
    const { least, most } = form.ranges[name]!
    const free = exp(at[i]!)
    const bounded = Math.min(most, Math.max(least, free))
    outside += Math.abs(at[i]! - log(bounded))
    parameters[name] = bounded as Parameters[keyof Parameters]
  })
  return { parameters: parameters as Parameters, outside }
}

/** Errors of a form with given parameters on rows. */
export const judge = <Parameters, Row extends { seconds: number }>(
  form: Form<Parameters, Row>,
  parameters: Parameters,
  rows: readonly Row[],
): Residuals | undefined =>
  residualsOf(rows.map((row) => ({ predicted: form.seconds(parameters, row), measured: row.seconds })))

/** The best of several forms of the same parameters: the one with the smallest median error on the rows of the fit. */
export function fitBest<Parameters extends object, Row extends { seconds: number }>(
  forms: readonly Form<Parameters, Row>[],
  rows: readonly Row[],
): Fit<Parameters> {
  let best: Fit<Parameters> | undefined
  for (const form of forms) {
    const fit = fitForm(form, rows)
    const error = fit.seen?.medianPercent ?? Number.POSITIVE_INFINITY
    if (best === undefined || error < (best.seen?.medianPercent ?? 0)) best = fit
  }
  if (best === undefined) throw new RangeError('fitBest needs at least one form')
  return best
}
