import { type ComparedRun, comparedFigures } from './figures.ts'
import { type Interval, isClear, meanInterval, pairedInterval } from './interval.ts'

/** One variant's runs, in the order of the seeds. */
export interface VariantRuns {
  readonly name: string
  readonly runs: readonly ComparedRun[]
}

/** What one variant gives for one figure. */
export interface VariantFigure {
  readonly variant: string
  /** In the order of the seeds; null where a run has no such figure. */
  readonly perSeed: readonly (number | null)[]
  readonly mean: Interval | null
  /** Against the first variant, seed by seed; null for the first itself. */
  readonly difference: Interval | null
  /** Difference over the first variant's mean; null where that is zero or missing. */
  readonly relativeDifference: number | null
  /** `unclear` when the interval of the difference holds zero. */
  readonly verdict: 'better' | 'worse' | 'more' | 'less' | 'equal' | 'unclear' | null
}

export interface FigureComparison {
  readonly figure: string
  readonly unit: string
  readonly better: 'lower' | 'higher' | 'neither'
  readonly variants: readonly VariantFigure[]
}

/** The JSON document of a comparison. */
export interface Comparison {
  readonly version: 1
  readonly variants: readonly string[]
  readonly seeds: readonly number[]
  readonly confidence: number
  readonly figures: readonly FigureComparison[]
  readonly warnings: readonly string[]
  /** factsHash of every run: variants, then seeds. */
  readonly factsHashes: readonly (readonly string[])[]
}

/** Compares every variant with the first, by Student's paired interval over the seeds. */
export function compare(variants: readonly VariantRuns[], seeds: readonly number[], confidence = 0.95): Comparison {
  const figures = comparedFigures.map(({ name, unit, better, read }): FigureComparison => {
    const values = variants.map(({ runs }) => runs.map(read))
    return {
      figure: name,
      unit,
      better,
      variants: variants.map((variant, at) =>
        variantFigure(variant.name, values[0]!, values[at]!, at > 0, better, confidence),
      ),
    }
  })
  return {
    version: 1,
    variants: variants.map(({ name }) => name),
    seeds,
    confidence,
    figures,
    warnings: [...new Set([...trafficWarnings(variants, seeds), ...runWarnings(variants)])],
    factsHashes: variants.map(({ runs }) => runs.map(({ summary }) => summary.factsHash)),
  }
}

function variantFigure(
  variant: string,
  base: readonly (number | undefined)[],
  values: readonly (number | undefined)[],
  compared: boolean,
  better: FigureComparison['better'],
  confidence: number,
): VariantFigure {
  const known = values.filter((value) => value !== undefined)
  const difference = compared ? (pairedInterval(base, values, confidence) ?? null) : null
  const baseMean = meanInterval(
    base.filter((value) => value !== undefined),
    confidence,
  )?.mean
  return {
    variant,
    perSeed: values.map((value) => value ?? null),
    mean: meanInterval(known, confidence) ?? null,
    difference,
    relativeDifference: difference === null || !baseMean ? null : difference.mean / baseMean,
    verdict: difference === null ? null : verdictOf(difference, better),
  }
}

function verdictOf(difference: Interval, better: FigureComparison['better']): VariantFigure['verdict'] {
  if (difference.mean === 0 && (difference.halfWidth ?? 0) === 0) return 'equal'
  if (!isClear(difference)) return 'unclear'
  const more = difference.mean > 0
  if (better === 'neither') return more ? 'more' : 'less'
  return more === (better === 'higher') ? 'better' : 'worse'
}

function trafficWarnings(variants: readonly VariantRuns[], seeds: readonly number[]): string[] {
  const [first, ...others] = variants
  const warnings: string[] = []
  for (const other of others) {
    const differs = seeds.filter((_, at) => other.runs[at]!.probe.trafficHash !== first!.runs[at]!.probe.trafficHash)
    if (differs.length > 0)
      warnings.push(
        `${other.name} did not see the traffic of ${first!.name} (seed ${differs.join(', ')}): the scenarios ask for different traffic, or it waits for answers, as sessions and closed loops do`,
      )
  }
  for (const { name, runs } of variants)
    if (runs.length > 1 && new Set(runs.map(({ summary }) => summary.factsHash)).size === 1)
      warnings.push(
        `${name} gives the same run for every seed: nothing in it is drawn, so one seed says all and intervals mean nothing`,
      )
  return warnings
}

const runWarnings = (variants: readonly VariantRuns[]): string[] =>
  variants.flatMap(({ name, runs }) =>
    runs.flatMap(({ summary }) => summary.warnings.map((warning) => `${name}: ${warning}`)),
  )
