import type { ErrorSummary } from '../errors.ts'
import { type Quantity, quantities } from '../measured/measuredRun.ts'
import type { LevelSummary } from '../validation.ts'
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
  if (servingErrors !== undefined) parts.push(levelTable('serving runs', servingErrors))
  if (sweeps !== undefined) parts.push(levelTable('sweep points', sweeps))
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
