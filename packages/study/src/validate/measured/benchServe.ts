import { layoutOf } from '@windtunnel/cost/step/layout'
import { RandomStream } from '@windtunnel/des'
import { type Document, list, needNumber, needText, numberAt, section, textAt } from './fields.ts'
import type { Deployment, Figures, MeasuredRequest, MeasuredRun, MeasuredTraffic, RunFigures } from './measuredRun.ts'
import { MeasuredRunError } from './measuredRunError.ts'
import { requireRequests } from './plausible.ts'
import { engineName } from './servingRun.ts'

/** Whether a document is the result that `vllm bench serve --save-result` writes. */
export const isBenchServe = (document: Document): boolean =>
  numberAt(document, 'mean_ttft_ms') !== undefined && numberAt(document, 'completed') !== undefined

/**
 * A result of `vllm bench serve`. It says nothing of the server: that stands in `deployment.json` beside it, as in a run
 * document (hardware, model, parallelism, engine). Requests are those of --save-detailed where they are there; without
 * them every request has the mean lengths.
 */
export function benchServe(result: Document, deployment: Document, id: string): MeasuredRun {
  const assumptions: string[] = []
  return {
    id,
    level: 'serving',
    family: 'vllm bench serve',
    workload: textAt(result, 'dataset_name') ?? 'unnamed',
    load: loadOf(result),
    deployment: deploymentOf(deployment, result, id),
    traffic: trafficOf(result, id, assumptions),
    measured: figuresOf(result),
    interToken: 'perToken',
    coldRequests: 0,
    assumptions,
  }
}

function loadOf(result: Document): string {
  const users = numberAt(result, 'max_concurrency')
  if (users !== undefined) return `${users} users`
  const rate = numberAt(result, 'request_rate')
  return rate === undefined ? 'all at once' : `${rate} requests/s`
}

function deploymentOf(document: Document, result: Document, id: string): Deployment {
  const parallelism = section(document, 'parallelism')
  const degree = (key: string): number => numberAt(parallelism, key) ?? 1
  const engine = section(document, 'engine')
  const options = {
    maxSequences: numberAt(engine, 'max_num_seqs'),
    maxBatchedTokens: numberAt(engine, 'max_num_batched_tokens'),
    maxModelLength: numberAt(engine, 'max_model_len'),
    blockTokens: numberAt(engine, 'block_size'),
    kvBlocks: numberAt(engine, 'kv_blocks_gpu'),
    memoryUtilisation: numberAt(engine, 'gpu_memory_utilization'),
  }
  const keyValues = textAt(engine, 'kv_cache_dtype')
  const stated = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const model = textAt(section(document, 'model'), 'id') ?? needText(result, 'model_id', id)
  return {
    model,
    accelerator: needText(section(document, 'hardware'), 'gpu', `${id}: deployment.json`),
    precision: textAt(section(document, 'model'), 'precision') ?? 'bf16',
    ...(keyValues === undefined || keyValues === 'auto' ? {} : { keyValuePrecision: keyValues }),
    pool: {
      replicas: 1,
      layout: layoutOf({ tp: degree('tp'), pp: degree('pp'), dp: degree('dp'), ep: degree('ep') }),
    },
    engine: {
      name: engineName(textAt(engine, 'name') ?? 'vllm'),
      version: textAt(engine, 'version') ?? '0.15.1',
      ...stated,
    },
    clock: 'client',
  }
}

const numbers = (document: Document, key: string): number[] =>
  list(document, key).filter((value): value is number => typeof value === 'number')

function trafficOf(result: Document, id: string, assumptions: string[]): MeasuredTraffic {
  const count = requireRequests(
    numberAt(result, 'num_prompts') ?? needNumber(result, 'completed', id),
    'num_prompts',
    id,
  )
  const completed = needNumber(result, 'completed', id)
  const inputs = numbers(result, 'input_lens')
  const outputs = numbers(result, 'output_lens')
  const meanInput = Math.round(needNumber(result, 'total_input_tokens', id) / completed)
  const meanOutput = Math.round(needNumber(result, 'total_output_tokens', id) / completed)
  const users = numberAt(result, 'max_concurrency')
  const rate = rateOf(result, id)
  if (rate === undefined && users !== undefined) {
    assumptions.push('requests of the mean lengths, outputs within 10 % of them')
    return {
      kind: 'closedLoop',
      users,
      requests: count,
      inputTokens: meanInput,
      outputTokens: meanOutput,
      leastShare: 1,
      outputJitter: 0.1,
    }
  }
  if (inputs.length !== outputs.length) throw new MeasuredRunError(id, 'input_lens and output_lens differ in number')
  if (inputs.length === 0) assumptions.push('requests of the mean lengths, as there is no --save-detailed')
  const times = startTimes(result, count, rate)
  if (times.drawn) assumptions.push('arrivals drawn at the stated rate')
  const requests = times.seconds.map(
    (arrivalSeconds, i): MeasuredRequest => ({
      arrivalSeconds,
      inputTokens: Math.max(1, inputs[i] ?? meanInput),
      outputTokens: Math.max(1, outputs[i] ?? meanOutput),
    }),
  )
  return { kind: 'replay', requests }
}

/** Requests in a second; undefined where all were sent at once (`inf`). Throws for a rate that is none. */
function rateOf(result: Document, id: string): number | undefined {
  const rate = numberAt(result, 'request_rate')
  if (rate === undefined || rate > 0) return rate
  throw new MeasuredRunError(id, `request_rate should be above 0, or "inf"; found ${rate}`)
}

/** Recorded send times from the first on, else a Poisson process (burstiness 1) rescaled to last count / rate. */
function startTimes(result: Document, count: number, rate: number | undefined): { seconds: number[]; drawn: boolean } {
  const recorded = numbers(result, 'start_times')
  if (recorded.length > 0) {
    const first = Math.min(...recorded)
    return { seconds: recorded.map((time) => time - first), drawn: false }
  }
  if (rate === undefined) return { seconds: Array.from({ length: count }, () => 0), drawn: false }
  const random = new RandomStream(1, 'bench serve arrivals')
  const shape = numberAt(result, 'burstiness') ?? 1
  let at = 0
  const times = Array.from({ length: count }, () => (at += random.gamma(shape, 1 / (rate * shape))))
  const scale = count / rate / at
  return { seconds: times.map((time) => time * scale), drawn: true }
}

function figuresOf(result: Document): RunFigures {
  const of = (name: string): Figures | undefined => {
    const figures: Figures = {}
    for (const [key, statistic] of [
      ['mean', 'mean'],
      ['p50', 'median'],
      ['p90', 'p90'],
      ['p99', 'p99'],
    ] as const) {
      const value = numberAt(result, `${statistic}_${name}_ms`)
      if (value !== undefined) figures[key] = value / 1000
    }
    return Object.keys(figures).length === 0 ? undefined : figures
  }
  const figures: RunFigures = {}
  for (const [quantity, name] of [
    ['ttft', 'ttft'],
    ['tpot', 'tpot'],
    ['interToken', 'itl'],
    ['e2e', 'e2el'],
  ] as const) {
    const found = of(name)
    if (found !== undefined) figures[quantity] = found
  }
  const rate = numberAt(result, 'output_throughput')
  if (rate !== undefined) figures.outputTokensPerSecond = rate
  return figures
}
