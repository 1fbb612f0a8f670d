import type { Comparison, FigureComparison, VariantFigure } from '@windtunnel/study/compare/comparison'
import { number, percent, seconds } from '../output/format.ts'
import { right, table } from '../output/table.ts'

/** The comparison for a person: figure by figure, every variant against the first. */
export function comparisonTable(comparison: Comparison): string {
  const { seeds, confidence, figures, warnings, variants } = comparison
  const shown = figures.filter(isWorthShowing)
  const rows = shown.flatMap((figure) => figure.variants.map((variant, at) => row(figure, variant, at === 0)))
  const head = `${variants.length} variants, ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'} (${span(seeds)}), differences to ${variants[0]}`
  const columns = [
    '',
    'variant',
    right('mean'),
    right('difference'),
    right(`${number(confidence * 100)} % interval`),
    right('change'),
    '',
  ]
  const notes = warnings.map((warning) => `warning: ${warning}`)
  return [head, '', table(columns, rows), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

/** A figure that is zero everywhere says nothing, nor does a price that is the same for all. */
const isWorthShowing = ({ figure, variants }: FigureComparison): boolean =>
  variants.some(({ mean }) => mean !== null && mean.mean !== 0) &&
  (figure !== 'cost an hour' || variants.slice(1).some(({ difference }) => difference?.mean !== 0))

const span = (seeds: readonly number[]): string =>
  seeds.length === 1 ? String(seeds[0]) : `${seeds[0]} to ${seeds.at(-1)}`

function row({ figure, unit }: FigureComparison, one: VariantFigure, first: boolean): string[] {
  const { variant, mean, difference, relativeDifference, verdict } = one
  const cells = [first ? figure : '', variant, inUnit(mean?.mean, unit)]
  if (difference === null) return cells
  const { mean: middle, halfWidth } = difference
  const interval =
    halfWidth === undefined ? '-' : `${signed(middle - halfWidth, unit)} to ${signed(middle + halfWidth, unit)}`
  const change =
    relativeDifference === null ? '-' : `${relativeDifference > 0 ? '+' : ''}${number(relativeDifference * 100, 3)} %`
  return [...cells, signed(middle, unit), interval, change, halfWidth === undefined ? '' : (verdict ?? '')]
}

function inUnit(value: number | undefined, unit: string): string {
  if (value === undefined) return '-'
  if (unit === 's') return seconds(value)
  if (unit === 'share') return percent(value)
  if (unit === 'USD') return `${value < 0 ? '-' : ''}$${number(Math.abs(value), 4)}`
  return unit === '1' ? number(value, 4) : `${number(value, 4)} /s`
}

const signed = (value: number, unit: string): string => `${value > 0 ? '+' : ''}${inUnit(value, unit)}`
