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
    else if (name === 'steps.csv' || name === 'steps.csv.gz') {
      attempt(name, 'steps', 1, found, () => {
        found.traces.push(...stepsOf(readFileSync(join(directory, name)), name, beside('steps.meta.json')))
        return []
      })
    } else if (name.endsWith('.json') && !BESIDE_RUNS.has(name)) {
      const id = name.replace(/\.json$/, '')
      attempt(id, 'serving', 1, found, () => {
        addDocument(parseDocument(text(name), name), name, beside, index, found)
        return []
      })
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

/** Documents that describe what stands beside them. */
const BESIDE_RUNS = new Set(['deployment.json', 'steps.meta.json'])

function stepsOf(bytes: Buffer, name: string, meta: string | undefined): StepTrace[] {
  const csv = (name.endsWith('.gz') ? unpacked(bytes, name) : bytes).toString('utf8')
  return measuredSteps(csv, meta === undefined ? {} : parseDocument(meta, 'steps.meta.json'), name)
}

function unpacked(bytes: Buffer, name: string): Buffer {
  try {
    return gunzipSync(bytes)
  } catch (error) {
    throw new MeasuredRunError(name, `is not gzip: ${error instanceof Error ? error.message : String(error)}`)
  }
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
  document: Document,
  name: string,
  beside: (name: string) => string | undefined,
  index: Map<string, IndexRow>,
  found: MeasuredDirectory,
): void {
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
  } else {
    const reason = 'is neither a run document (kind "serving" or "sweep") nor a result of vllm bench serve'
    found.notBuilt.push({ id: name, level: 'serving', reason, points: 0, quantities: [] })
  }
}

const withUse = (document: Document, row: IndexRow | undefined): Document =>
  row === undefined ? document : { ...document, use: row.use }

/** What runs of a level usually measure: an unbuilt one counts in these. */
const MEASURED: Readonly<Record<NotBuilt['level'], readonly Quantity[]>> = {
  serving: ['e2e', 'interToken', 'tpot', 'ttft'],
  sweeps: ['tpot', 'ttft'],
  steps: [],
}

function attempt(
  id: string,
  level: NotBuilt['level'],
  points: number,
  found: MeasuredDirectory,
  read: () => MeasuredRun[],
): void {
  try {
    found.runs.push(...read())
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    found.notBuilt.push({ id, level, reason, points, quantities: MEASURED[level] })
  }
}
