import type { SimulationView } from '@windtunnel/orchestrator'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import { Histogram } from '../sketch/histogram.ts'
import type { SummaryObserver } from '../summary/summaryObserver.ts'
import { ticksBetweenSeconds } from '../ticks.ts'
import { type LedgerReader, SilentReader } from '../timeline/ledgerReader.ts'
import type { RequestTimeline } from '../timeline/requestTimeline.ts'
import { BoundedCounts } from './boundedCounts.ts'
import { type Labels, PrometheusText } from './prometheusText.ts'

/** Bounds of vLLM's histograms in seconds (vllm/v1/metrics/loggers.py). */
const TTFT_BOUNDS = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560,
]
const TOKEN_BOUNDS = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80]
const REQUEST_BOUNDS = [0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680]

/** 1, 2, 5, 10, 20, 50 ... up to the longest context, as vLLM does for lengths. */
export function lengthBounds(longest: number): number[] {
  const bounds: number[] = []
  for (let decade = 1; ; decade *= 10) {
    for (const factor of [1, 2, 5]) {
      if (factor * decade > longest) return bounds
      bounds.push(factor * decade)
    }
  }
}

/** Records what vLLM's metrics need beyond the summary, and writes them under vLLM's names, labels and bounds. */
export class VllmMetrics extends SilentObserver {
  readonly reader: LedgerReader
  readonly prefill = new Histogram()
  readonly decode = new Histogram()
  readonly inference = new Histogram()
  readonly promptTokens: BoundedCounts
  readonly generationTokens: BoundedCounts
  #promptTokenSum = 0

  /** `longest`: tokens of the longest request the model takes. */
  constructor(longest = 131_072) {
    super()
    this.promptTokens = new BoundedCounts(lengthBounds(longest))
    this.generationTokens = new BoundedCounts(lengthBounds(longest))
    this.reader = new VllmReader(this)
  }

  addPrompt(tokens: number): void {
    this.#promptTokenSum += tokens
  }

  /** The page that a Prometheus server would scrape from the simulated fleet. Gauges are per replica, the rest for the fleet. */
  page(modelName: string, summary: SummaryObserver, view: SimulationView): string {
    const fleet: Labels = { model_name: modelName, engine: 'fleet' }
    const text = new PrometheusText()
    this.#gauges(text, modelName, view)
    this.#counters(text, fleet, summary)
    text.seconds(
      'vllm:time_to_first_token_seconds',
      'Histogram of time to first token in seconds.',
      fleet,
      TTFT_BOUNDS,
      summary.ttft,
    )
    text.seconds(
      'vllm:inter_token_latency_seconds',
      'Histogram of inter-token latency in seconds.',
      fleet,
      TOKEN_BOUNDS,
      summary.itl,
    )
    text.seconds(
      'vllm:request_time_per_output_token_seconds',
      'Histogram of time per output token in seconds per request.',
      fleet,
      TOKEN_BOUNDS,
      summary.tpot,
    )
    text.seconds(
      'vllm:e2e_request_latency_seconds',
      'Histogram of e2e request latency in seconds.',
      fleet,
      REQUEST_BOUNDS,
      summary.e2e,
    )
    text.seconds(
      'vllm:request_queue_time_seconds',
      'Histogram of time spent in WAITING phase for request.',
      fleet,
      REQUEST_BOUNDS,
      summary.queue,
    )
    text.seconds(
      'vllm:request_prefill_time_seconds',
      'Histogram of time spent in PREFILL phase for request.',
      fleet,
      REQUEST_BOUNDS,
      this.prefill,
    )
    text.seconds(
      'vllm:request_decode_time_seconds',
      'Histogram of time spent in DECODE phase for request.',
      fleet,
      REQUEST_BOUNDS,
      this.decode,
    )
    text.seconds(
      'vllm:request_inference_time_seconds',
      'Histogram of time spent in RUNNING phase for request.',
      fleet,
      REQUEST_BOUNDS,
      this.inference,
    )
    text.counts('vllm:request_prompt_tokens', 'Number of prefill tokens processed.', fleet, this.promptTokens)
    text.counts(
      'vllm:request_generation_tokens',
      'Number of generation tokens processed.',
      fleet,
      this.generationTokens,
    )
    return text.toString()
  }

  #gauges(text: PrometheusText, modelName: string, view: SimulationView): void {
    const each = (value: (replica: SimulationView['replicas'][number]) => number) =>
      view.replicas.map(
        (replica) => [{ model_name: modelName, engine: String(replica.replica) }, value(replica)] as const,
      )
    text.family(
      'gauge',
      'vllm:num_requests_running',
      'Number of requests in model execution batches.',
      each((one) => one.running),
    )
    text.family(
      'gauge',
      'vllm:num_requests_waiting',
      'Number of requests waiting to be processed.',
      each((one) => one.waiting),
    )
    const use = each((one) => (one.totalBlocks > 0 ? one.usedBlocks / one.totalBlocks : 0))
    text.family('gauge', 'vllm:kv_cache_usage_perc', 'KV-cache usage. 1 means 100 percent usage.', use)
  }

  #counters(text: PrometheusText, fleet: Labels, summary: SummaryObserver): void {
    const { outputTokens, preemptions, cachedTokens, queriedTokens } = summary.counts
    const { completed, cancelled, timedOut } = summary.totals()
    const one = (name: string, help: string, value: number) => text.family('counter', name, help, [[fleet, value]])
    one('vllm:prompt_tokens_total', 'Number of prefill tokens processed.', this.#promptTokenSum)
    one('vllm:generation_tokens_total', 'Number of generation tokens processed.', outputTokens)
    one('vllm:num_preemptions_total', 'Cumulative number of preemption from the engine.', preemptions)
    one('vllm:prefix_cache_queries_total', 'Prefix cache queries, in terms of number of queried tokens.', queriedTokens)
    one('vllm:prefix_cache_hits_total', 'Prefix cache hits, in terms of number of cached tokens.', cachedTokens)
    text.family('counter', 'vllm:request_success_total', 'Count of successfully processed requests.', [
      [{ ...fleet, finished_reason: 'stop' }, completed],
      [{ ...fleet, finished_reason: 'abort' }, cancelled + timedOut],
    ])
  }
}

/**
 * vLLM's intervals: prefill from the first scheduling to the first token, decode from there to the last token, inference
 * both together.
 */
class VllmReader extends SilentReader {
  readonly #metrics: VllmMetrics

  constructor(metrics: VllmMetrics) {
    super()
    this.#metrics = metrics
  }

  override firstToken(_time: number, _ttftSeconds: number, inputTokens: number): void {
    this.#metrics.addPrompt(inputTokens)
  }

  override ended({ ending, admitted, firstToken, ended, inputTokens, outputTokens }: RequestTimeline): void {
    if (ending !== 'completed' || admitted === undefined || firstToken === undefined) return
    this.#metrics.prefill.record(ticksBetweenSeconds(admitted, firstToken))
    this.#metrics.decode.record(ticksBetweenSeconds(firstToken, ended))
    this.#metrics.inference.record(ticksBetweenSeconds(admitted, ended))
    this.#metrics.promptTokens.record(inputTokens)
    this.#metrics.generationTokens.record(outputTokens)
  }
}
