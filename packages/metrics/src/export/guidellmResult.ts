import { statisticsOf } from './exactStatistics.ts'
import { milliseconds, type ResultLabels } from './resultLabels.ts'
import { definedValues, isCompleted, type ResultRequest, type ResultSet, sumOf } from './resultSet.ts'

type Json = Record<string, unknown>

const PERCENTS: readonly (readonly [string, number])[] = [
  ['p001', 0.1],
  ['p01', 1],
  ['p05', 5],
  ['p10', 10],
  ['p25', 25],
  ['p50', 50],
  ['p75', 75],
  ['p90', 90],
  ['p95', 95],
  ['p99', 99],
  ['p999', 99.9],
]

/** guidellm's distribution summary; zeros for no values. */
function distribution(values: readonly number[]): Json {
  const statistics = statisticsOf(values)
  const at = (percent: number): number => statistics?.percentile(percent) ?? 0
  const deviation = statistics?.deviation ?? 0
  return {
    mean: statistics?.mean ?? 0,
    median: at(50),
    mode: modeOf(values),
    variance: deviation * deviation,
    std_dev: deviation,
    min: statistics?.least ?? 0,
    max: statistics?.largest ?? 0,
    count: values.length,
    total_sum: statistics?.sum ?? 0,
    percentiles: Object.fromEntries(PERCENTS.map(([name, percent]) => [name, at(percent)])),
    pdf: null,
  }
}

/** The value met most often, the first of those met equally often. */
function modeOf(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let mode = 0
  let most = 0
  for (const [value, count] of counts) {
    if (count > most) {
      mode = value
      most = count
    }
  }
  return mode
}

/** TPOT as guidellm has it: request latency over all output tokens, the first one included; milliseconds. */
const tpotWithFirst = ({ e2e, outputTokens }: ResultRequest): number | undefined =>
  e2e === undefined || outputTokens === 0 ? undefined : milliseconds(e2e / outputTokens)

const scaled = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : milliseconds(seconds)

/**
 * A guidellm report (version 2) with one benchmark, under its definitions: time_per_output_token_ms includes the first
 * token, inter_token_latency_ms does not. Requests that failed or were left count as errored.
 */
export function guidellmResult(set: ResultSet, labels: ResultLabels): Json {
  const successful = set.requests.filter(isCompleted)
  const errored = set.requests.filter((one) => !isCompleted(one))
  const totals = { successful: successful.length, errored: errored.length, incomplete: 0, total: set.requests.length }
  const start = labels.startedAtSeconds
  const end = start + set.durationSeconds
  return {
    metadata: { version: 2, guidellm_version: '0.7.0', python_version: '', platform: 'windtunnel' },
    config: {},
    benchmarks: [
      {
        type_: 'generative_benchmark',
        config: {
          id_: 'windtunnel',
          run_id: 'windtunnel',
          run_index: 0,
          strategy: strategyOf(labels),
          constraints: {},
        },
        scheduler_state: { created_requests: totals.total, processed_requests: totals.total },
        scheduler_metrics: {
          start_time: start,
          request_start_time: start,
          measure_start_time: start,
          measure_end_time: end,
          request_end_time: end,
          end_time: end,
          requests_made: totals,
        },
        metrics: { request_totals: totals, ...metricFields(set, successful, errored) },
        requests: {
          successful: successful.map((one) => record(one, start)),
          errored: errored.map((one) => record(one, start)),
          incomplete: [],
          total: null,
        },
        start_time: start,
        end_time: end,
        duration: set.durationSeconds,
        warmup_duration: 0,
        cooldown_duration: 0,
      },
    ],
  }
}

const strategyOf = ({ requestsPerSecond }: ResultLabels): Json =>
  requestsPerSecond === undefined ? { type_: 'throughput' } : { type_: 'constant', rate: requestsPerSecond }

function metricFields(set: ResultSet, successful: readonly ResultRequest[], errored: readonly ResultRequest[]): Json {
  const perSecond = set.durationSeconds > 0 ? 1 / set.durationSeconds : 0
  const rate = (requests: readonly ResultRequest[], amount: (one: ResultRequest) => number): number[] =>
    requests.some(isCompleted) ? [sumOf(requests.filter(isCompleted).map(amount)) * perSecond] : []
  const samples: Record<string, (requests: readonly ResultRequest[]) => number[]> = {
    requests_per_second: (requests) => rate(requests, () => 1),
    request_concurrency: (requests) => rate(requests, (one) => one.e2e ?? 0),
    request_latency: (requests) => definedValues(requests.map((one) => one.e2e)),
    prompt_token_count: (requests) => requests.map((one) => one.inputTokens),
    output_token_count: (requests) => requests.map((one) => one.outputTokens),
    time_to_first_token_ms: (requests) => definedValues(requests.map((one) => scaled(one.ttft))),
    time_per_output_token_ms: (requests) => definedValues(requests.map(tpotWithFirst)),
    inter_token_latency_ms: (requests) => definedValues(requests.map((one) => scaled(one.tpot))),
    output_tokens_per_second: (requests) => rate(requests, (one) => one.outputTokens),
  }
  const fields: Json = {}
  for (const [name, sample] of Object.entries(samples)) {
    fields[name] = {
      successful: distribution(sample(successful)),
      errored: distribution(sample(errored)),
      incomplete: distribution([]),
      total: distribution(sample([...successful, ...errored])),
    }
  }
  return fields
}

function record(request: ResultRequest, start: number): Json {
  const id = `req-${request.request}`
  const begun = start + request.arrival
  const firstToken = request.ttft === undefined ? null : begun + request.ttft
  return {
    type_: 'generative_request_stats',
    request_id: id,
    info: {
      request_id: id,
      status: isCompleted(request) ? 'completed' : 'errored',
      timings: {
        targeted_start: begun,
        request_start: begun,
        first_token_iteration: firstToken,
        last_token_iteration: firstToken === null ? null : start + request.end,
        token_iterations: request.outputTokens,
        request_iterations: request.outputTokens,
        request_end: start + request.end,
      },
      error: isCompleted(request) ? null : request.ending,
    },
    input_metrics: { text_tokens: request.inputTokens },
    output_metrics: { text_tokens: request.outputTokens },
    request_start_time: begun,
    request_end_time: start + request.end,
    request_latency: request.e2e ?? null,
    prompt_tokens: request.inputTokens,
    output_tokens: request.outputTokens,
    time_to_first_token_ms: scaled(request.ttft) ?? null,
    time_per_output_token_ms: tpotWithFirst(request) ?? null,
    inter_token_latency_ms: scaled(request.tpot) ?? null,
  }
}
