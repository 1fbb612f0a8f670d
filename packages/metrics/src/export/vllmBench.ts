import { type ExactStatistics, statisticsOf, weightedStatistics } from './exactStatistics.ts'
import { milliseconds, type ResultLabels } from './resultLabels.ts'
import { definedValues, isCompleted, mostConcurrent, type ResultSet, sumOf } from './resultSet.ts'

type Json = Record<string, unknown>

/** `mean_ttft_ms` and its siblings; zeros where there is no value, as vLLM writes them. */
export function millisecondFields(
  metric: string,
  statistics: ExactStatistics | undefined,
  percentiles: readonly number[],
  order: 'median' | 'std' = 'median',
): Json {
  const at = (percent: number): number => milliseconds(statistics?.percentile(percent) ?? 0)
  const median = { [`median_${metric}_ms`]: at(50) }
  const deviation = { [`std_${metric}_ms`]: milliseconds(statistics?.deviation ?? 0) }
  const fields: Json = { [`mean_${metric}_ms`]: milliseconds(statistics?.mean ?? 0) }
  Object.assign(fields, ...(order === 'median' ? [median, deviation] : [deviation, median]))
  for (const percent of percentiles) fields[`p${percent}_${metric}_ms`] = at(percent)
  return fields
}

/**
 * The result JSON of `vllm bench serve --save-result --save-detailed`, under its definitions: TPOT per request leaves out
 * the first token and requests of one token, ITL pools all gaps, a request that failed stays in the arrays with zeros.
 * Gaps per request are not kept by the simulation, so `itls` is left out.
 */
export function vllmBenchResult(
  set: ResultSet,
  labels: ResultLabels,
  percentiles: readonly number[] = [50, 90, 95, 99],
): Json {
  const { requests, durationSeconds } = set
  const completed = requests.filter(isCompleted)
  const inputTokens = sumOf(completed.map((one) => one.inputTokens))
  const outputTokens = sumOf(completed.map((one) => one.outputTokens))
  const perSecond = durationSeconds > 0 ? 1 / durationSeconds : 0
  return {
    date: compactDate(labels.startedAt),
    endpoint_type: 'openai',
    backend: 'openai',
    label: 'windtunnel',
    model_id: labels.model,
    tokenizer_id: labels.model,
    num_prompts: requests.length,
    request_rate: labels.requestsPerSecond ?? 'inf',
    burstiness: 1,
    max_concurrency: labels.maxConcurrency ?? null,
    duration: durationSeconds,
    completed: completed.length,
    failed: requests.length - completed.length,
    total_input_tokens: inputTokens,
    total_output_tokens: outputTokens,
    request_throughput: completed.length * perSecond,
    request_goodput: labels.goodput ?? null,
    output_throughput: outputTokens * perSecond,
    total_token_throughput: (inputTokens + outputTokens) * perSecond,
    input_lens: requests.map((one) => one.inputTokens),
    output_lens: requests.map((one) => one.outputTokens),
    ttfts: requests.map((one) => one.ttft ?? 0),
    latencies: requests.map((one) => one.e2e ?? 0),
    start_times: requests.map((one) => one.arrival),
    queue_times: requests.map((one) => (isCompleted(one) ? one.queue : 0)),
    errors: requests.map((one) => (isCompleted(one) ? '' : one.ending)),
    max_output_tokens_per_s: set.mostTokensPerSecond,
    max_concurrent_requests: mostConcurrent(requests),
    rtfx: 0,
    ...millisecondFields('ttft', statisticsOf(definedValues(completed.map((one) => one.ttft))), percentiles),
    ...millisecondFields('tpot', statisticsOf(definedValues(completed.map((one) => one.tpot))), percentiles),
    ...millisecondFields('itl', weightedStatistics(set.gaps), percentiles),
    ...millisecondFields('e2el', statisticsOf(definedValues(completed.map((one) => one.e2e))), percentiles),
  }
}

/** 2026-01-01T00:00:00Z as 20260101-000000. */
const compactDate = (iso: string): string => iso.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
