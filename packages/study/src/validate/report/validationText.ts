import type { ErrorSummary } from '../errors.ts'
import { type Quantity, quantities, type RunErrors } from '../measured/measuredRun.ts'
import type { LevelSummary } from '../validation.ts'
import { publishedFamilies } from './publishedFamilies.ts'
import type { DocumentRun, ValidationDocument } from './validationDocument.ts'

const titles: Record<Quantity, string> = {
  e2e: 'E2E',
  interToken: 'inter-token',
  tpot: 'TPOT',
  ttft: 'TTFT',
  throughput: 'throughput',
}

const percent = (fraction: number | undefined, signed = false): string =>
  fraction === undefined ? '-' : `${signed && fraction >= 0 ? '+' : ''}${(100 * fraction).toFixed(1)}`

/** Columns of text, the first to the left, the others to the right. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((found, row) => row.map((cell, i) => Math.max(found[i] ?? 0, cell.length)), [])
  return rows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '))
    .join('\n')
}

const summaryRow = (name: string, summary: ErrorSummary): string[] => [
  name,
  percent(summary.medianApe),
  percent(summary.meanApe),
  percent(summary.p90Ape),
  percent(summary.worstApe),
  percent(summary.medianSigned, true),
  String(summary.runs),
]

function levelTable(title: string, summary: LevelSummary): string {
  const rows = quantities.flatMap((quantity) => {
    const found = summary[quantity]
    return found === undefined ? [] : [summaryRow(titles[quantity], found)]
  })
  return columns([[`${title}, error in %`, 'median', 'mean', 'p90', 'worst', 'bias', 'runs'], ...rows])
}

/** Errors of one level: of scored runs, of all that could be compared where that differs, and what others published. */
function levelTables(
  title: string,
  level: 'serving' | 'sweeps',
  scored: LevelSummary,
  document: ValidationDocument,
): string {
  const tables = [levelTable(title, scored)]
  const all = document.overallWithUnscored[level]
  if (all !== undefined && runsOf(all) > runsOf(scored)) tables.push(levelTable(`${title} with those not scored`, all))
  const others = publishedFamilies
    .filter((family) => family.level === level)
    .map((family) => `  ${family.by}: ${publishedText(family.errors)}`)
  tables.push(['published by others on such runs, median error in %:', ...others].join('\n'))
  return tables.join('\n\n')
}

const runsOf = (summary: LevelSummary): number =>
  Math.max(0, ...quantities.map((quantity) => summary[quantity]?.runs ?? 0))

/** Errors in words: `E2E 6.8, TTFT 12.9`. */
const publishedText = (errors: RunErrors, signed = false): string =>
  quantities
    .flatMap((quantity) => {
      const error = errors[quantity]
      return error === undefined ? [] : [`${titles[quantity]} ${percent(error, signed)}`]
    })
    .join(', ')

/** What others published for one run. */
export const publishedOf = (run: DocumentRun): string =>
  Object.entries(run.published ?? {})
    .map(([name, errors]) => `${name}: ${publishedText(errors, true)}`)
    .join('; ')

const runRow = (run: DocumentRun): string[] => [
  run.id,
  run.load,
  ...quantities.map((quantity) => percent(run.errors[quantity], true)),
  run.unscored ?? '',
]

function breakdownTable(title: string, groups: Record<string, LevelSummary>, shown: readonly Quantity[]): string {
  const cell = (summary: LevelSummary, quantity: Quantity): string => {
    const found = summary[quantity]
    return found === undefined ? '-' : `${percent(found.medianApe)} / ${percent(found.p90Ape)}`
  }
  const rows = Object.entries(groups).map(([name, summary]) => [
    name,
    ...shown.map((quantity) => cell(summary, quantity)),
    String(Math.max(...shown.map((quantity) => summary[quantity]?.runs ?? 0))),
  ])
  return columns([[`by ${title}, median / p90 in %`, ...shown.map((quantity) => titles[quantity]), 'runs'], ...rows])
}

/** A validation for a terminal: overall, by group, run by run, and what was not built. */
export function validationText(document: ValidationDocument): string {
  const parts: string[] = []
  const serving = document.runs.filter((run) => run.level === 'serving')
  if (serving.length > 0) {
    const head = ['run, signed error in %', 'load', ...quantities.map((quantity) => titles[quantity]), 'not scored']
    parts.push(columns([head, ...serving.map(runRow)]))
    const others = serving.filter((run) => run.published !== undefined)
    if (others.length > 0) {
      const lines = others.map((run) => `  ${run.id}: ${publishedOf(run)}`)
      parts.push(`published by others for these very runs, signed error in %:\n${lines.join('\n')}`)
    }
  }
  for (const level of ['serving', 'sweeps'] as const) {
    const breakdown = document.breakdown[level]
    const shown: readonly Quantity[] = level === 'serving' ? ['e2e', 'interToken', 'ttft'] : ['tpot', 'ttft']
    for (const [grouping, groups] of Object.entries(breakdown ?? {})) {
      if (level === 'sweeps' && grouping === 'load') continue
      if (Object.keys(groups).length > 1) parts.push(breakdownTable(grouping, groups, shown))
    }
  }
  const { serving: servingErrors, sweeps, steps } = document.overall
  if (servingErrors !== undefined) parts.push(levelTables('serving runs', 'serving', servingErrors, document))
  if (sweeps !== undefined) parts.push(levelTables('sweep points', 'sweeps', sweeps, document))
  if (steps !== undefined) {
    const rows = Object.entries(steps.byComposition).map(([name, summary]) => summaryRow(name, summary))
    parts.push(columns([['iterations, error in %', 'median', 'mean', 'p90', 'worst', 'bias', 'steps'], ...rows]))
  }
  parts.push(...unscoredText(document))
  return parts.join('\n\n')
}

function unscoredText(document: ValidationDocument): string[] {
  const reasons = new Map<string, Set<string>>()
  for (const { id, unscored } of document.runs) {
    if (unscored !== undefined) reasons.set(unscored, (reasons.get(unscored) ?? new Set()).add(id))
  }
  const parts: string[] = []
  if (reasons.size > 0) {
    const lines = [...reasons].map(([reason, ids]) => `  ${ids.size}: ${reason}`)
    parts.push(`built and reported but not scored:\n${lines.join('\n')}`)
  }
  if (document.notBuilt.length > 0) {
    const lines = document.notBuilt.map(({ id, reason }) => `  ${id}: ${reason}`)
    parts.push(`not built (each counts as an error of 100 % if it was to be scored):\n${lines.join('\n')}`)
  }
  return parts
}
