import { layoutOf, type ReplicaLayout } from '@windtunnel/cost/step/layout'
import { type CsvRow, cellNumber, readCsv } from './csv.ts'
import { type Document, numberAt, section, textAt } from './fields.ts'

/** One measured iteration of an engine: what it computed, and how long it took. */
export interface MeasuredStep {
  prefillTokens: number
  prefillRequests: number
  prefillContextTokens: number
  decodeSequences: number
  decodeContextTokens: number
  seconds: number
  /** Part of the trace: a synthetic grid, or traffic. */
  segment: string
}

/** Iterations of one engine on one layout. */
export interface StepTrace {
  id: string
  model: string
  accelerator: string
  layout: ReplicaLayout
  engine: { name: string; version: string; maxSequences?: number }
  keyValuePrecision?: string
  /** Why nothing can be predicted for it. */
  unstated?: string
  steps: MeasuredStep[]
}

/** Iterations longer than this are compilation. */
const LONGEST_SECONDS = 1

const COLUMNS = ['case', 'model', 'gpu', 'n_prefill_tokens', 'n_prefill_reqs', 'n_decode_seqs', 'step_ms']

/** Step traces from a CSV of iterations and the document that describes its cases. */
export function measuredSteps(csv: string, meta: Document, where: string): StepTrace[] {
  const traces = new Map<string, StepTrace>()
  const cases = section(meta, 'cases')
  for (const row of readCsv(csv, where, COLUMNS)) {
    const name = row['case'] ?? ''
    let trace = traces.get(name)
    if (trace === undefined) {
      trace = traceOf(name, row, section(cases, name))
      traces.set(name, trace)
    }
    const step = stepOf(row)
    if (step.seconds < LONGEST_SECONDS) trace.steps.push(step)
  }
  return [...traces.values()]
}

function traceOf(name: string, row: CsvRow, meta: Document): StepTrace {
  const tp = cellNumber(row, 'tp')
  const dp = cellNumber(row, 'dp') ?? 1
  const ep = cellNumber(row, 'ep') ?? 1
  const maxSequences = numberAt(meta, 'max_num_seqs')
  const keyValues = textAt(meta, 'kv_dtype')
  const version = textAt(meta, 'vllm')
  return {
    id: `steps-${name}`,
    model: row['model'] ?? '',
    accelerator: row['gpu'] ?? '',
    layout: layoutOf({ tp: tp ?? 1, dp, ep }),
    engine: {
      name: version === undefined ? (textAt(meta, 'engine') ?? 'unknown') : 'vllm',
      version: version ?? '99',
      ...(maxSequences === undefined ? {} : { maxSequences }),
    },
    ...(keyValues === undefined || keyValues === 'auto' ? {} : { keyValuePrecision: keyValues }),
    ...(tp === undefined ? { unstated: 'the layout is not stated' } : {}),
    steps: [],
  }
}

const stepOf = (row: CsvRow): MeasuredStep => ({
  prefillTokens: cellNumber(row, 'n_prefill_tokens') ?? 0,
  prefillRequests: cellNumber(row, 'n_prefill_reqs') ?? 0,
  prefillContextTokens: cellNumber(row, 'prefill_context_tokens') ?? 0,
  decodeSequences: cellNumber(row, 'n_decode_seqs') ?? 0,
  decodeContextTokens: cellNumber(row, 'sum_decode_context') ?? 0,
  seconds: (cellNumber(row, 'step_ms') ?? 0) / 1000,
  segment: row['segment'] ?? '',
})
