import { statisticsOf, weightedStatistics } from './exactStatistics.ts'
import type { ResultLabels } from './resultLabels.ts'
import { definedValues, isCompleted, mostConcurrent, type ResultSet, sumOf } from './resultSet.ts'
import { millisecondFields } from './vllmBench.ts'

/**
 * One line of the result file of SGLang's bench_serving (it appends lines of JSON). An unlimited rate is bare `Infinity`
 * there, which JSON does not know; write `sglangLine` to a file rather than this value.
 */
export function sglangBenchResult(set: ResultSet, labels: ResultLabels): Record<string, unknown> {
  const { requests, durationSeconds } = set
  const completed = requests.filter(isCompleted)
  const inputTokens = sumOf(completed.map((one) => one.inputTokens))
  const outputTokens = sumOf(completed.map((one) => one.outputTokens))
  const latencies = definedValues(completed.map((one) => one.e2e))
  const perSecond = durationSeconds > 0 ? 1 / durationSeconds : 0
  const gaps = weightedStatistics(set.gaps)
  return {
    tag: null,
    backend: 'sglang',
    dataset_name: 'windtunnel',
    request_rate: labels.requestsPerSecond ?? Number.POSITIVE_INFINITY,
    max_concurrency: labels.maxConcurrency ?? null,
    sharegpt_output_len: null,
    random_input_len: null,
    random_output_len: null,
    random_range_ratio: null,
    server_info: null,
    duration: durationSeconds,
    completed: completed.length,
    total_input_tokens: inputTokens,
    total_input_text_tokens: inputTokens,
    total_input_vision_tokens: 0,
    total_output_tokens: outputTokens,
    total_output_tokens_retokenized: outputTokens,
    request_throughput: completed.length * perSecond,
    input_throughput: inputTokens * perSecond,
    output_throughput: outputTokens * perSecond,
    total_throughput: (inputTokens + outputTokens) * perSecond,
    ...millisecondFields('e2e_latency', statisticsOf(latencies), [99]),
    ...millisecondFields('ttft', statisticsOf(definedValues(completed.map((one) => one.ttft))), [99]),
    ...millisecondFields('tpot', statisticsOf(definedValues(completed.map((one) => one.tpot))), [99]),
    ...millisecondFields('itl', gaps, [95, 99]),
    concurrency: sumOf(latencies) * perSecond,
    accept_length: null,
    max_output_tokens_per_s: set.mostTokensPerSecond,
    max_concurrent_requests: mostConcurrent(requests),
  }
}

/** The line as SGLang writes it, without a line end. */
export function sglangLine(set: ResultSet, labels: ResultLabels): string {
  const { request_rate: rate, ...rest } = sglangBenchResult(set, labels)
  const text = JSON.stringify({ ...rest, request_rate: rate === Number.POSITIVE_INFINITY ? 'unlimited' : rate })
  return text.replace('"request_rate":"unlimited"', '"request_rate":Infinity')
}
