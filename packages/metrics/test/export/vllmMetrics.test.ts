import { describe, expect, it } from 'vitest'
import { lengthBounds, VllmMetrics } from '../../src/export/vllmMetrics.ts'
import { RunRecorder } from '../../src/summary/runRecorder.ts'
import { TICKS_PER_SECOND } from '../../src/ticks.ts'
import { fakeView, observersOf } from '../fakes.ts'

/** One request of 100 prompt tokens: queued 0.5 s, first token at 0.8 s, 3 tokens by 1.0 s. */
function page(): string {
  const metrics = new VllmMetrics(1000)
  const recorder = new RunRecorder({ recordings: [metrics] })
  for (const o of observersOf(recorder)) {
    o.arrived(0, 0, 100, 3, 0, 0)
    o.admitted(0, 0.5, 0, 32, 100, 0)
    o.firstToken(0, 0.8)
    o.decodeRun(0, 0.8, 2, 1, TICKS_PER_SECOND / 10, 0)
    o.ended(0, 1, 'completed', 3, '')
  }
  return metrics.page('org/model "x"', recorder.summary, fakeView(1))
}

describe('metrics under the names of vLLM', () => {
  const lines = page().split('\n')
  const labels = 'model_name="org/model \\"x\\"",engine="fleet"'

  it('counts tokens, hits and endings', () => {
    expect(lines).toContain(`vllm:prompt_tokens_total{${labels}} 100`)
    expect(lines).toContain(`vllm:generation_tokens_total{${labels}} 3`)
    expect(lines).toContain(`vllm:prefix_cache_queries_total{${labels}} 100`)
    expect(lines).toContain(`vllm:prefix_cache_hits_total{${labels}} 32`)
    expect(lines).toContain(`vllm:request_success_total{${labels},finished_reason="stop"} 1`)
  })

  it('puts a TTFT of 0.8 s between the bounds 0.75 and 1, and the gaps at 0.1', () => {
    expect(lines).toContain(`vllm:time_to_first_token_seconds_bucket{${labels},le="0.75"} 0`)
    expect(lines).toContain(`vllm:time_to_first_token_seconds_bucket{${labels},le="1.0"} 1`)
    expect(lines).toContain(`vllm:inter_token_latency_seconds_bucket{${labels},le="0.1"} 2`)
    expect(lines).toContain(`vllm:inter_token_latency_seconds_bucket{${labels},le="0.075"} 0`)
    expect(lines).toContain(`vllm:inter_token_latency_seconds_count{${labels}} 2`)
    expect(lines).toContain(`vllm:request_queue_time_seconds_sum{${labels}} 0.5`)
  })

  it('has gauges per replica', () => {
    expect(lines).toContain('vllm:kv_cache_usage_perc{model_name="org/model \\"x\\"",engine="0"} 0.125')
  })

  it('every family is told once, with help and type, and its buckets never fall', () => {
    const types = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2])
    expect(new Set(types).size).toBe(types.length)
    let before: { name: string; value: number } | undefined
    for (const line of lines) {
      const match = /^(\S+)_bucket\{.*\} (\d+)$/.exec(line)
      if (match === null) continue
      const [, name, value] = match
      if (before?.name === name) expect(Number(value)).toBeGreaterThanOrEqual(before!.value)
      before = { name: name!, value: Number(value) }
    }
  })

  it('length bounds are 1, 2, 5 a decade up to the longest request', () => {
    expect(lengthBounds(60)).toEqual([1, 2, 5, 10, 20, 50])
  })
})
