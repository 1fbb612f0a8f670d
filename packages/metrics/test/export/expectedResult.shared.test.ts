import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { resultFormats } from '../../src/export/resultFormats.ts'
import { fourRequests, labels } from './fourRequests.ts'

const root = process.env['WINDTUNNEL_DATA'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url))
const path = `${root}/data/traces/result-formats/expected.json`
const missing = !existsSync(path)
if (missing) console.warn(`${path} is not here: the exporters are not held to it.`)

/** What an importer of a tool's file finds there, under the names of the expected result. */
const written = (name: string) =>
  JSON.parse(resultFormats.get(name)!.text(fourRequests(), labels).replace('Infinity', 'null'))
const near = (value: number) => expect.closeTo(value, 5)

describe.skipIf(missing)('the one expected result of four requests (skipped without the shared data)', () => {
  const expected = missing ? undefined : JSON.parse(readFileSync(path, 'utf8'))

  it('is in the file of vllm bench serve', () => {
    expect(written('vllm')).toMatchObject({
      completed: expected.completed,
      failed: expected.failed,
      total_input_tokens: expected.input_tokens,
      total_output_tokens: expected.output_tokens,
      request_throughput: near(expected.req_per_s),
      output_throughput: near(expected.out_tok_per_s),
      mean_ttft_ms: near(expected.ttft_ms.mean),
      median_ttft_ms: near(expected.ttft_ms.median),
      p99_ttft_ms: near(expected.ttft_ms.p99),
      mean_e2el_ms: near(expected.e2e_ms.mean),
      p99_e2el_ms: near(expected.e2e_ms.p99),
      mean_tpot_ms: near(expected.tpot_excl_first_ms.mean),
      mean_itl_ms: near(expected.itl_pooled_gaps_ms.mean),
      median_itl_ms: near(expected.itl_pooled_gaps_ms.median),
    })
  })

  it('is in the line of SGLang bench_serving', () => {
    expect(written('sglang')).toMatchObject({
      completed: expected.completed,
      total_input_tokens: expected.input_tokens,
      total_output_tokens: expected.output_tokens,
      request_throughput: near(expected.req_per_s),
      output_throughput: near(expected.out_tok_per_s),
      mean_ttft_ms: near(expected.ttft_ms.mean),
      p99_ttft_ms: near(expected.ttft_ms.p99),
      mean_e2e_latency_ms: near(expected.e2e_ms.mean),
      p99_e2e_latency_ms: near(expected.e2e_ms.p99),
      mean_tpot_ms: near(expected.tpot_excl_first_ms.mean),
      mean_itl_ms: near(expected.itl_pooled_gaps_ms.mean),
      median_itl_ms: near(expected.itl_pooled_gaps_ms.median),
    })
  })

  it('is in the file of aiperf', () => {
    expect(written('aiperf')).toMatchObject({
      request_count: { avg: expected.completed },
      error_request_count: { avg: expected.failed },
      request_throughput: { avg: near(expected.req_per_s) },
      output_token_throughput: { avg: near(expected.out_tok_per_s) },
      time_to_first_token: {
        avg: near(expected.ttft_ms.mean),
        p50: near(expected.ttft_ms.median),
        p99: near(expected.ttft_ms.p99),
      },
      request_latency: { avg: near(expected.e2e_ms.mean), p99: near(expected.e2e_ms.p99) },
      inter_token_latency: { avg: near(expected.tpot_excl_first_ms.mean) },
    })
  })

  it('is in the report of guidellm', () => {
    const [{ metrics }] = written('guidellm').benchmarks
    expect(metrics).toMatchObject({
      request_totals: { successful: expected.completed, errored: expected.failed },
      time_to_first_token_ms: {
        successful: { mean: near(expected.ttft_ms.mean), percentiles: { p99: near(expected.ttft_ms.p99) } },
      },
      inter_token_latency_ms: {
        successful: { mean: near(expected.tpot_excl_first_ms.mean), count: expected.tpot_excl_first_ms.samples.length },
      },
      time_per_output_token_ms: {
        successful: { mean: near(expected.tpot_incl_first_ms.mean), count: expected.tpot_incl_first_ms.samples.length },
      },
    })
    expect(metrics.request_latency.successful.mean * 1000).toBeCloseTo(expected.e2e_ms.mean, 5)
  })
})
