import { describe, expect, it } from 'vitest'
import { aiperfRecord, aiperfResult } from '../../src/export/aiperfResult.ts'
import { statisticsOf, weightedStatistics } from '../../src/export/exactStatistics.ts'
import { guidellmResult } from '../../src/export/guidellmResult.ts'
import { resultFormats } from '../../src/export/resultFormats.ts'
import { sglangBenchResult, sglangLine } from '../../src/export/sglangBench.ts'
import { vllmBenchResult } from '../../src/export/vllmBench.ts'
import { fourRequests, labels } from './fourRequests.ts'

const set = fourRequests()
const near = (value: number) => expect.closeTo(value, 6)

describe('exact statistics', () => {
  it('are those of NumPy: population deviation and linear percentiles', () => {
    const statistics = statisticsOf([3, 1, 2, 4])!
    expect(statistics.mean).toBe(2.5)
    expect(statistics.deviation).toBe(Math.sqrt(1.25))
    expect(statistics.percentile(50)).toBe(2.5)
    expect(statistics.percentile(99)).toBeCloseTo(3.97, 12)
    expect(statisticsOf([])).toBeUndefined()
  })

  it('weights count as so many equal values', () => {
    const weighted = weightedStatistics({ values: [0.05, 0.1], weights: [4, 2] })!
    const plain = statisticsOf([0.05, 0.05, 0.05, 0.05, 0.1, 0.1])!
    for (const percent of [0, 10, 50, 60, 70, 99, 100])
      expect(weighted.percentile(percent)).toBe(plain.percentile(percent))
    expect(weighted.mean).toBeCloseTo(plain.mean, 15)
  })
})

describe('the result files of other tools, of four requests', () => {
  it('vllm bench serve: TPOT without the first token, ITL over gaps, failures as zeros', () => {
    expect(vllmBenchResult(set, labels)).toMatchObject({
      date: '20260101-000000',
      request_rate: 'inf',
      completed: 3,
      failed: 1,
      total_input_tokens: 350,
      total_output_tokens: 9,
      request_throughput: 2,
      output_throughput: 6,
      total_token_throughput: near(239.333333),
      mean_ttft_ms: near(200),
      p99_ttft_ms: near(298),
      std_ttft_ms: near(81.649658),
      mean_tpot_ms: near(75),
      p99_tpot_ms: near(99.5),
      mean_itl_ms: near(66.666667),
      median_itl_ms: near(50),
      std_itl_ms: near(23.570226),
      p99_e2el_ms: near(398),
      output_lens: [5, 1, 0, 3],
      latencies: [near(0.4), near(0.3), 0, near(0.3)],
      max_output_tokens_per_s: 6,
      max_concurrent_requests: 1,
    })
  })

  it('SGLang: the same TPOT and ITL, mean concurrency, and a bare Infinity for no rate', () => {
    expect(sglangBenchResult(set, labels)).toMatchObject({
      mean_e2e_latency_ms: near(333.333333),
      p95_itl_ms: near(100),
      concurrency: near(0.666667),
      input_throughput: near(233.333333),
    })
    expect(sglangLine(set, labels)).toContain('"request_rate":Infinity')
    expect(sglangLine(set, { ...labels, requestsPerSecond: 2 })).toContain('"request_rate":2')
  })

  it('aiperf: its inter-token latency is TPOT, absent for a request of one token', () => {
    expect(aiperfResult(set, labels)).toMatchObject({
      request_count: { avg: 3 },
      error_request_count: { avg: 1 },
      inter_token_latency: { avg: near(75), p1: near(50.5), p99: near(99.5), std: near(25) },
      output_token_throughput_per_user: { avg: near(15) },
      error_summary: [{ error_details: { type: 'rejected' }, count: 1 }],
    })
    const records = set.requests.map((one) => aiperfRecord(one, labels))
    expect(records[1]!['metrics']).not.toHaveProperty('inter_token_latency')
    expect(records[2]).toMatchObject({ metrics: { error_isl: { value: 9000 } }, error: { type: 'rejected' } })
    expect(records[0]).toMatchObject({ metadata: { request_start_ns: 1_767_225_600_000_000_000 } })
  })

  it('guidellm: time per output token includes the first token, inter-token latency does not', () => {
    const [benchmark] = guidellmResult(set, labels)['benchmarks'] as Record<string, never>[]
    expect(benchmark!['metrics']).toMatchObject({
      request_totals: { successful: 3, errored: 1, incomplete: 0, total: 4 },
      time_per_output_token_ms: { successful: { mean: near(160), median: near(100), count: 3 } },
      inter_token_latency_ms: { successful: { mean: near(75), count: 2 } },
      request_concurrency: { successful: { mean: near(0.666667) } },
      request_latency: { successful: { percentiles: { p999: near(0.3998) } } },
    })
  })

  it('an empty run gives files too, without a NaN', () => {
    const empty = { durationSeconds: 0, requests: [], gaps: { values: [], weights: [] }, mostTokensPerSecond: 0 }
    for (const format of resultFormats.values()) expect(format.text(empty, labels)).not.toContain('null,"p50')
    expect(vllmBenchResult(empty, labels)).toMatchObject({ completed: 0, mean_ttft_ms: 0, request_throughput: 0 })
  })
})
