import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { benchServe, isBenchServe } from './benchServe.ts'
import { readCsv } from './csv.ts'
import { type Document, list, parseDocument, section, textAt } from './fields.ts'
import { impossiblyFast } from './impossiblyFast.ts'
import { jsonSweep } from './jsonSweep.ts'
import type { MeasuredRun, NotBuilt, Quantity } from './measuredRun.ts'
import { MeasuredRunError } from './measuredRunError.ts'
import { measuredSteps, type StepTrace } from './measuredSteps.ts'
import { servingRun } from './servingRun.ts'
import { sweepRuns } from './sweepRuns.ts'

/** All measured runs of a directory, and those that cannot be understood. */
export interface MeasuredDirectory {
  runs: MeasuredRun[]
  traces: StepTrace[]
  notBuilt: NotBuilt[]
}

interface IndexRow {
  use: string
  family: string
}

/**
 * Reads a directory of measured runs: `index.csv` (id, use), run documents (`kind` serving or sweep), results of `vllm
 * bench serve` with a `deployment.json`, `*.sweeps.jsonl`, and `steps.csv` or `steps.csv.gz` with `steps.meta.json`.
 * Throws MeasuredRunError when there is nothing of the kind.
 */
export function readDirectory(directory: string): MeasuredDirectory {
  if (!existsSync(directory)) throw new MeasuredRunError(directory, 'there is no such directory')
  const names = readdirSync(directory).sort()
  const text = (name: string): string => readFileSync(join(directory, name), 'utf8')
  const beside = (name: string): string | undefined => (names.includes(name) ? text(name) : undefined)
  const index = indexOf(beside('index.csv'))
  const found: MeasuredDirectory = { runs: [], traces: [], notBuilt: [] }
  for (const name of names) {
    if (name.endsWith('.sweeps.jsonl')) addSweeps(text(name), name, index, found)
    else if (name.endsWith('.json')) addDocument(text(name), name, beside, index, found)
    else if (name === 'steps.csv' || name === 'steps.csv.gz') {
      const bytes = readFileSync(join(directory, name))
      const csv = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
      const meta = beside('steps.meta.json')
      found.traces.push(...measuredSteps(csv, meta === undefined ? {} : parseDocument(meta, 'steps.meta.json'), name))
    }
  }
  if (found.runs.length + found.traces.length + found.notBuilt.length === 0) {
    throw new MeasuredRunError(
      directory,
      'holds no measured runs: expected run documents (*.json), *.sweeps.jsonl, or steps.csv',
    )
  }
  return found
}

function indexOf(csv: string | undefined): Map<string, IndexRow> {
  if (csv === undefined) return new Map()
  return new Map(
    readCsv(csv, 'index.csv', ['id', 'use']).map((row) => [
      row['id'] ?? '',
      { use: row['use'] || 'yes', family: row['family'] ?? '' },
    ]),
  )
}

/** Why a sweep that outruns twice its accelerators is not scored. */
const SPECULATES = 'faster than twice its accelerators: speculative decoding that its record does not name'

function addSweeps(text: string, name: string, index: Map<string, IndexRow>, found: MeasuredDirectory): void {
  const sweeps: Document[] = []
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '') return
    attempt(`${name}, line ${i + 1}`, 'sweeps', 1, found, () => {
      sweeps.push(parseDocument(line, name))
      return []
    })
  })
  const fast = impossiblyFast(sweeps)
  for (const sweep of sweeps) {
    const id = textAt(sweep, 'id') ?? 'sweep'
    const row = index.get(id)
    const points = Math.max(1, list(sweep, 'points').length)
    const unscored = fast.has(id) ? SPECULATES : undefined
    attempt(id, 'sweeps', points, found, () => sweepRuns(sweep, { use: row?.use, family: row?.family, unscored }))
  }
}

function addDocument(
  text: string,
  name: string,
  beside: (name: string) => string | undefined,
  index: Map<string, IndexRow>,
  found: MeasuredDirectory,
): void {
  const document = parseDocument(text, name)
  const id = textAt(document, 'id') ?? name.replace(/\.json$/, '')
  const used = withUse(document, index.get(id))
  if (document['kind'] === 'serving') attempt(id, 'serving', 1, found, () => [servingRun(used, name, beside)])
  else if (document['kind'] === 'sweep') {
    const points = list(section(document, 'measured'), 'points').length
    attempt(id, 'sweeps', points, found, () => jsonSweep(used, name))
  } else if (isBenchServe(document)) {
    attempt(id, 'serving', 1, found, () => {
      const deployment = beside('deployment.json')
      if (deployment === undefined) throw new MeasuredRunError(name, 'needs a deployment.json beside it')
      return [benchServe(document, parseDocument(deployment, 'deployment.json'), id)]
    })
  }
}

const withUse = (document: Document, row: IndexRow | undefined): Document =>
  row === undefined ? document : { ...document, use: row.use }

function attempt(
  id: string,
  level: 'serving' | 'sweeps',
  points: number,
  found: MeasuredDirectory,
  read: () => MeasuredRun[],
): void {
  try {
    found.runs.push(...read())
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const measured: readonly Quantity[] = level === 'sweeps' ? ['tpot', 'ttft'] : ['e2e', 'interToken', 'tpot', 'ttft']
    found.notBuilt.push({ id, level, reason, points, quantities: measured })
  }
}
