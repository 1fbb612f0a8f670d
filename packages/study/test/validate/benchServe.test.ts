import { describe, expect, it } from 'vitest'
import { benchServe, isBenchServe } from '../../src/validate/measured/benchServe.ts'
import { predictRun } from '../../src/validate/predict/predictRun.ts'

const result = {
  model_id: 'meta-llama/Llama-3.1-8B-Instruct',
  completed: 20,
  num_prompts: 20,
  request_rate: 2,
  burstiness: 1,
  total_input_tokens: 20000,
  total_output_tokens: 2000,
  mean_ttft_ms: 60,
  median_ttft_ms: 55,
  p99_ttft_ms: 90,
  mean_tpot_ms: 8,
  mean_itl_ms: 8.1,
  output_throughput: 190,
}
const deployment = {
  hardware: { gpu: 'h100' },
  model: { precision: 'bf16' },
  engine: { name: 'vllm', version: '0.15.1', kv_cache_dtype: 'auto' },
}

describe('a result of vllm bench serve', () => {
  it('is told by its fields', () => {
    expect(isBenchServe(result)).toBe(true)
    expect(isBenchServe({ kind: 'serving' })).toBe(false)
  })

  it('becomes a run: milliseconds as seconds, medians as p50, ITL pooled over gaps, arrivals that last count / rate', () => {
    const run = benchServe(result, deployment, 'mine')
    expect(run.measured.ttft).toEqual({ mean: 0.06, p50: 0.055, p99: 0.09 })
    expect(run.measured.tpot?.mean).toBe(0.008)
    expect(run.interToken).toBe('perToken')
    expect(run.traffic.kind).toBe('replay')
    if (run.traffic.kind !== 'replay') return
    expect(run.traffic.requests).toHaveLength(20)
    expect(run.traffic.requests[0]!.inputTokens).toBe(1000)
    expect(run.traffic.requests.at(-1)!.arrivalSeconds).toBeCloseTo(10, 9)
  })

  it('is simulated to the last request', () => {
    const prediction = predictRun(benchServe(result, deployment, 'mine'))
    expect(prediction.requests).toBe(20)
    expect(prediction.figures.ttft?.mean).toBeGreaterThan(0.01)
    expect(prediction.figures.interToken?.mean).toBeGreaterThan(0.004)
  })
})
