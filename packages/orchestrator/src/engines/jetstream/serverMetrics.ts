import type { Time } from '@windtunnel/des'
import { toSeconds } from '@windtunnel/des'
import type { ServerMetric } from '../serverMetric.ts'
import { BoundedHistogram } from './boundedHistogram.ts'
import type { Server } from './server.ts'

/** Bounds as in JetStream's core/metrics/prometheus.py; seconds and tokens. */
const WAITS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
const FIRST_TOKEN = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const OUTPUT_TOKEN = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5]
const PREFILL_TOKEN = [1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1]
const REQUEST = [1, 2.5, 5, 10, 15, 20, 30, 40, 50, 60]
const INPUT = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]
const OUTPUT = [1, 10, 100, 1000, 10_000, 100_000].flatMap((decade) => [decade, 2 * decade, 5 * decade])

/**
 * What a JetStream server tells of itself on its metrics page: with its defects where `strict`, else as the names promise
 * (SEMANTICS.md). Load and start-up times and adapters are not simulated.
 */
export class ServerMetrics {
  readonly #server: Server
  #successes = 0
  readonly #histograms = {
    jetstream_queue_duration: new BoundedHistogram(WAITS),
    jetstream_request_input_length: new BoundedHistogram(INPUT),
    jetstream_request_output_length: new BoundedHistogram([...OUTPUT, 1e6, 2e6]),
    jetstream_time_to_first_token: new BoundedHistogram(FIRST_TOKEN),
    jetstream_time_per_output_token: new BoundedHistogram(OUTPUT_TOKEN),
    jetstream_time_per_prefill_token: new BoundedHistogram(PREFILL_TOKEN),
    jetstream_time_per_request: new BoundedHistogram(REQUEST),
    jetstream_wait_time_per_request: new BoundedHistogram(WAITS),
  }

  constructor(server: Server) {
    this.#server = server
  }

  /** The first token is handed over. */
  prefilled(slot: number, tokens: number): void {
    const { dequeuedAt, prefilledAt } = this.#server.stages
    this.#histograms.jetstream_request_input_length.observe(tokens)
    this.#histograms.jetstream_time_per_prefill_token.observe((prefilledAt[slot]! - dequeuedAt[slot]!) / tokens)
  }

  /** The first token has been detokenised. */
  firstRead(slot: number, now: Time): void {
    const { options, stages } = this.#server
    stages.firstAt[slot] = toSeconds(now)
    if (this.#server.hasLeft(slot)) return
    const since = options.strict ? stages.dequeuedAt[slot]! : stages.enqueuedAt[slot]!
    this.#histograms.jetstream_time_to_first_token.observe(toSeconds(now) - since)
  }

  /** The generate thread has taken the request from its backlog. */
  dequeued(slot: number, now: Time): void {
    const { stages } = this.#server
    stages.generateTakenAt[slot] = toSeconds(now)
    const inPrefill = stages.dequeuedAt[slot]! - stages.enqueuedAt[slot]!
    const inTransfer = stages.transferTakenAt[slot]! - stages.prefilledAt[slot]!
    const inGenerate = stages.generateTakenAt[slot]! - stages.generateQueuedAt[slot]!
    this.#histograms.jetstream_queue_duration.observe(inPrefill + inTransfer + inGenerate)
  }

  /** The request is complete; `generated`: it has been in a slot. */
  completed(slot: number, now: Time, generated: boolean): void {
    const { options, stages, table } = this.#server
    const end = toSeconds(now)
    const tokens = table.outputTokens[slot]!
    const { enqueuedAt, dequeuedAt, prefilledAt, generateTakenAt, firstAt } = stages
    const all = this.#histograms
    this.#successes += 1
    all.jetstream_request_output_length.observe(tokens)
    if (options.strict) all.jetstream_time_per_output_token.observe((end - prefilledAt[slot]!) / tokens)
    else if (tokens > 1) all.jetstream_time_per_output_token.observe((end - firstAt[slot]!) / (tokens - 1))
    all.jetstream_time_per_request.observe(end - (options.strict ? prefilledAt[slot]! : enqueuedAt[slot]!))
    const prefill = prefilledAt[slot]! - dequeuedAt[slot]!
    const generate = generated ? end - generateTakenAt[slot]! : 0
    all.jetstream_wait_time_per_request.observe(end - enqueuedAt[slot]! - prefill - generate)
  }

  page(now: Time): ServerMetric[] {
    const series = Object.entries(this.#histograms).map(([name, histogram]) => ({
      name,
      labels: {},
      sample: histogram.sample(),
    }))
    const success = { type: 'counter', value: this.#successes } as const
    return [...this.#gauges(now), ...series, { name: 'jetstream_request_success_count', labels: {}, sample: success }]
  }

  #gauges(now: Time): ServerMetric[] {
    const { backlog, transfer, generate, options } = this.#server
    const gauge = (name: string, value: number, idx?: number): ServerMetric => ({
      name,
      labels: idx === undefined ? {} : { idx: String(idx) },
      sample: { type: 'gauge', value },
    })
    const waiting = (queue: readonly number[]): number => (options.strict ? 0 : queue.length)
    const used = generate.map(({ freeSlots }) => options.maxSequences - freeSlots)
    return [
      gauge('jetstream_prefill_backlog_size', backlog.length),
      ...transfer.map((thread, idx) => gauge('jetstream_transfer_backlog_size', waiting(thread.backlog), idx)),
      ...generate.map((thread, idx) => gauge('jetstream_generate_backlog_size', waiting(thread.backlog), idx)),
      ...used.map((slots, idx) => gauge('jetstream_slots_used_percentage', slots / options.maxSequences, idx)),
      gauge('num_requests_waiting', backlog.length),
      gauge('kv_cache_utilization_perc', 100 * this.#kvShare(used, now)),
    ]
  }

  /** Slots in use of all; corrected, KV entries in use of all. */
  #kvShare(used: readonly number[], now: Time): number {
    const { generate, options } = this.#server
    const slots = generate.length * options.maxSequences
    if (options.strict) return used.reduce((sum, one) => sum + one, 0) / slots
    return generate.reduce((sum, thread) => sum + thread.contextTokensAt(now), 0) / (slots * options.maxModelLength)
  }
}
