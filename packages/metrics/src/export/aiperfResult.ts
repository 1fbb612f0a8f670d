import { type ExactStatistics, statisticsOf } from './exactStatistics.ts'
import { milliseconds, type ResultLabels } from './resultLabels.ts'
import { definedValues, isCompleted, type ResultRequest, type ResultSet, sumOf } from './resultSet.ts'

type Json = Record<string, unknown>

const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99]

function figures(unit: string, statistics: ExactStatistics): Json {
  const percentiles = PERCENTS.map((percent) => [`p${percent}`, statistics.percentile(percent)] as const)
  return {
    unit,
    avg: statistics.mean,
    ...Object.fromEntries(percentiles),
    min: statistics.least,
    max: statistics.largest,
    std: statistics.deviation,
  }
}

const inMilliseconds = (values: readonly (number | undefined)[]): number[] => definedValues(values).map(milliseconds)

/**
 * `profile_export_aiperf.json` of aiperf, under its definitions: its inter_token_latency is TPOT without the first token,
 * and a metric that nobody has (ITL of single tokens) is left out.
 */
export function aiperfResult(set: ResultSet, labels: ResultLabels): Json {
  const completed = set.requests.filter(isCompleted)
  const failed = set.requests.filter((one) => !isCompleted(one))
  const perSecond = set.durationSeconds > 0 ? 1 / set.durationSeconds : 0
  const tpots = inMilliseconds(completed.map((one) => one.tpot))
  const samples: [string, string, number[]][] = [
    ['request_latency', 'ms', inMilliseconds(completed.map((one) => one.e2e))],
    ['time_to_first_token', 'ms', inMilliseconds(completed.map((one) => one.ttft))],
    ['inter_token_latency', 'ms', tpots],
    ['output_token_throughput_per_user', 'tokens/sec/user', tpots.map((value) => 1000 / value)],
    ['output_sequence_length', 'tokens', completed.map((one) => one.outputTokens)],
    ['input_sequence_length', 'tokens', completed.map((one) => one.inputTokens)],
  ]
  const distributions = samples.flatMap(([name, unit, values]) => {
    const statistics = statisticsOf(values)
    return statistics === undefined ? [] : [[name, figures(unit, statistics)] as const]
  })
  return {
    request_throughput: { unit: 'requests/sec', avg: completed.length * perSecond },
    ...goodputFields(labels.goodput, set.durationSeconds),
    request_count: { unit: 'requests', avg: completed.length },
    ...Object.fromEntries(distributions),
    output_token_throughput: { unit: 'tokens/sec', avg: sumOf(completed.map((one) => one.outputTokens)) * perSecond },
    error_request_count: { unit: 'requests', avg: failed.length },
    benchmark_duration: { unit: 'sec', avg: set.durationSeconds },
    input_config: { endpoint: { model_names: [labels.model], type: 'chat', streaming: true } },
    was_cancelled: false,
    error_summary: errorSummary(failed),
    start_time: labels.startedAt,
  }
}

/** aiperf leaves goodput out where no objective was given. */
const goodputFields = (goodput: number | undefined, seconds: number): Json =>
  goodput === undefined
    ? {}
    : {
        goodput: { unit: 'requests/sec', avg: goodput },
        good_request_count: { unit: 'requests', avg: Math.round(goodput * seconds) },
      }

function errorSummary(failed: readonly ResultRequest[]): Json[] {
  const counts = new Map<string, number>()
  for (const { ending } of failed) counts.set(ending, (counts.get(ending) ?? 0) + 1)
  return [...counts].map(([ending, count]) => ({ error_details: { code: null, type: ending, message: ending }, count }))
}

/** One line of `profile_export.jsonl` of aiperf; times of the run's start in nanoseconds since 1970. */
export function aiperfRecord(request: ResultRequest, labels: ResultLabels): Json {
  const nanoseconds = (seconds: number): number => Math.round((labels.startedAtSeconds + seconds) * 1e9)
  const value = (name: string, amount: number | undefined, unit: string): Json =>
    amount === undefined ? {} : { [name]: { value: amount, unit } }
  const scaled = (seconds: number | undefined): number | undefined =>
    seconds === undefined ? undefined : milliseconds(seconds)
  const metrics = isCompleted(request)
    ? {
        ...value('input_sequence_length', request.inputTokens, 'tokens'),
        ...value('time_to_first_token', scaled(request.ttft), 'ms'),
        ...value('request_latency', scaled(request.e2e), 'ms'),
        ...value('output_token_count', request.outputTokens, 'tokens'),
        ...value('output_sequence_length', request.outputTokens, 'tokens'),
        ...value('inter_token_latency', scaled(request.tpot), 'ms'),
      }
    : value('error_isl', request.inputTokens, 'tokens')
  return {
    metadata: {
      session_num: request.request,
      x_request_id: `req-${request.request}`,
      request_start_ns: nanoseconds(request.arrival),
      request_end_ns: nanoseconds(request.end),
      worker_id: 'worker_0',
      benchmark_phase: 'profiling',
      was_cancelled: request.ending === 'cancelled',
    },
    metrics,
    error: isCompleted(request) ? null : { code: null, type: request.ending, message: request.ending },
  }
}
