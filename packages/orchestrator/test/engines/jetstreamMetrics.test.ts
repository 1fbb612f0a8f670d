import { describe, expect, it } from 'vitest'
import type { JetstreamEngine } from '../../src/engines/jetstream/jetstreamEngine.ts'
import { disaggregated, type JetstreamOptions, type ServerMetric } from '../../src/index.ts'
import { type Line, plainCost, start } from '../reference/timeline.ts'

/** One slot; steps of 1 s, prompts of 0.25 s, copies of half a second. */
const options: JetstreamOptions = {
  prefillEngines: 1,
  generateEngines: 1,
  maxSequences: 1,
  blockSize: 16,
  totalBlocks: 8,
  maxModelLength: 128,
  prefixCache: false,
  buckets: [16],
  maxPrefillLength: 16,
  chunkTokens: 0,
  prefillBacklog: 0,
  transferBacklog: 4,
  generateBacklog: 4,
  detokeniseBacklog: 8,
  target: 'minBacklog',
  slotCost: 'every',
  strict: false,
  kvBytesPerToken: 1000,
  transferBytesPerSecond: Number.POSITIVE_INFINITY,
  transferLatencySeconds: 0.5,
  insertBytesPerSecond: Number.POSITIVE_INFINITY,
  detokeniseSecondsPerStep: 0,
  detokeniseSecondsPerSequence: 0,
}

/*
 * Two requests at 0, of three tokens each. 0: prefill 0 to 0.25, copied to 0.75, steps to 1.75 and 2.75. 1: waits for the prefill thread
 * to 0.25, computed at 0.5, waits for the link to 0.75, copied to 1.25, waits for the slot to 2.75 (strict as well, since detokenising
 * takes no time), steps to 3.75 and 4.75.
 */
const lines: Line[] = [0, 0].map((at) => ({ at, input: 10, output: 3 }))

function page(strict: boolean, at: number): Record<string, ServerMetric['sample']> {
  const { engine, simulation, runTo } = start(lines, plainCost(1, 1 / 64), (context) =>
    disaggregated.create(context, { ...options, strict }),
  )
  runTo(at)
  const series = (engine as JetstreamEngine).serverMetrics(simulation.now())
  return Object.fromEntries(series.map(({ name, sample }) => [name, sample]))
}

const sums = (strict: boolean, name: string): [number, number] => {
  const sample = page(strict, 10)[name]!
  return sample.type === 'histogram' ? [sample.count, sample.sum] : [1, sample.value]
}

const gauge = (strict: boolean, name: string, at: number): number => {
  const sample = page(strict, at)[name]!
  return sample.type === 'histogram' ? Number.NaN : sample.value
}

describe('the metrics page of a JetStream server: its defects, strict and corrected', () => {
  it('the time to the first token counts from the dequeue, or from the arrival', () => {
    // Both prompts take 0.25 s; the second one waited as long before.
    expect(sums(true, 'jetstream_time_to_first_token')).toEqual([2, 0.5])
    expect(sums(false, 'jetstream_time_to_first_token')).toEqual([2, 0.75])
  })

  it('the time per output token spreads all after the prefill over all tokens, or the gaps over the gaps', () => {
    // 0: from 0.25 to 2.75; 1: from 0.5 to 4.75.
    expect(sums(true, 'jetstream_time_per_output_token')).toEqual([2, 2.5 / 3 + 4.25 / 3])
    expect(sums(false, 'jetstream_time_per_output_token')).toEqual([2, 2.5 / 2 + 4.25 / 2])
  })

  it('the time of a request counts from the end of its prefill, or from its arrival', () => {
    expect(sums(true, 'jetstream_time_per_request')).toEqual([2, 2.5 + 4.25])
    expect(sums(false, 'jetstream_time_per_request')).toEqual([2, 2.75 + 4.75])
  })

  it('the backlogs of transfers and generation read 0 for ever, or what waits', () => {
    expect(gauge(true, 'jetstream_transfer_backlog_size', 0.6)).toBe(0)
    expect(gauge(false, 'jetstream_transfer_backlog_size', 0.6)).toBe(1)
    expect(gauge(true, 'jetstream_generate_backlog_size', 2)).toBe(0)
    expect(gauge(false, 'jetstream_generate_backlog_size', 2)).toBe(1)
  })

  it('the use of the KV cache is that of the slots, or of the entries that they own', () => {
    // In the second step 10 + 1 of 128 entries are there.
    expect(gauge(true, 'kv_cache_utilization_perc', 2)).toBe(100)
    expect(gauge(false, 'kv_cache_utilization_perc', 2)).toBe((100 * 11) / 128)
  })
})

describe('the metrics page of a JetStream server', () => {
  it('adds up the waits, prefills and lengths', () => {
    for (const strict of [false, true]) {
      // Prefill 0 + 0.25, transfer 0 + 0.25, slot 0 + 1.5.
      expect(sums(strict, 'jetstream_queue_duration')).toEqual([2, 2])
      // Neither in prefill nor after the insert: 0: 2.75 - 0.25 - 2; 1: 4.75 - 0.25 - 2.
      expect(sums(strict, 'jetstream_wait_time_per_request')).toEqual([2, 0.5 + 2.5])
      expect(sums(strict, 'jetstream_time_per_prefill_token')).toEqual([2, 0.025 * 2])
      expect(sums(strict, 'jetstream_request_input_length')).toEqual([2, 20])
      expect(sums(strict, 'jetstream_request_output_length')).toEqual([2, 6])
      expect(sums(strict, 'jetstream_request_success_count')).toEqual([1, 2])
      expect(gauge(strict, 'jetstream_prefill_backlog_size', 0.1)).toBe(1)
      expect(gauge(strict, 'num_requests_waiting', 0.1)).toBe(1)
      expect(gauge(strict, 'jetstream_slots_used_percentage', 1)).toBe(1)
    }
  })

  it("sorts observations under JetStream's bounds", () => {
    const sample = page(true, 10)['jetstream_time_per_request']!
    // 2.5 s and 4.25 s: at or below 1, 2.5, 5 and 10 s.
    expect(sample.type === 'histogram' ? sample.cumulative.slice(0, 4) : []).toEqual([0, 1, 2, 2])
  })
})
