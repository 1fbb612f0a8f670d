import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandFolder, plainScenario } from '../inFolder.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const traces = resolve(root, process.env['WINDTUNNEL_DATA'] ?? '../shared', 'data', 'traces')
const missing = !existsSync(traces)
if (missing) console.warn(`skipping the real traces: ${traces} not found (set WINDTUNNEL_DATA)`)

const { write, windtunnel } = commandFolder()
write('plain.yaml', plainScenario.replace('run: { maxRequests: 200 }', 'run: {}'))

describe.skipIf(missing)('windtunnel run on every trace at hand (skipped without the shared data)', () => {
  it.each([
    ['azure2023/AzureLLMInferenceTrace_conv.csv', 19366],
    ['vidur/splitwise_conv.csv', 19366],
    ['mooncake/conversation_trace.first2000.jsonl', 2000],
    ['mooncake/synthetic_trace.jsonl', 3993],
    ['ragpulse/0_trace.first2000.jsonl', 2000],
    ['llmservingsim/sharegpt-llama-3.1-8b-300-sps10.lengths.jsonl', 300],
    ['llmservingsim/example_trace.jsonl', 10],
    ['inference-perf/trace.csv', 20],
    ['inference-perf/otel/simple_chain.json', 3],
    ['inference-perf/otel/prefix_sharing_example.json', 7],
    ['inference-perf/otel/parallel_requests.json', 5],
    ['splitwise-sim/test_trace.csv', 3],
    ['synthetic/azure2024_tz.csv', 3],
    ['synthetic/qwen_bailian_blk16.jsonl', 3],
    ['synthetic/llmservingsim_agentic.jsonl', 3],
    ['synthetic/weka_session.json', 4],
  ])('%s: %i requests, each of them ends', async (file, rows) => {
    const { status, stdout, stderr } = await windtunnel('run', 'plain.yaml', '--trace', join(traces, file), '--json')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const { requests } = JSON.parse(stdout)
    expect(requests).toMatchObject({ arrived: rows, unfinished: 0, failed: 0, timedOut: 0 })
  })

  it.each([
    ['synthetic/burstgpt_v1_6col.csv', 7, 2],
    ['synthetic/burstgpt_v2_8col.csv', 4, 1],
  ])('%s: %i requests, and %i failures of the recorded service left out with a warning', async (file, rows, zero) => {
    const { stdout } = await windtunnel('run', 'plain.yaml', '--trace', join(traces, file), '--json')
    const { requests, warnings } = JSON.parse(stdout)
    expect(requests.arrived).toBe(rows)
    expect(warnings.join()).toContain(`${zero} rows without tokens`)
  })

  it.each([
    ['synthetic/azure_bom_unsorted_blank_zero.csv', /line 3, field TIMESTAMP: expected a time not before .*sort/],
    [
      'vidur/arxiv_summarization_stats_llama2_tokenizer_filtered_v2.csv',
      /line 2, field time: expected a time .*arrivals/,
    ],
    ['inference-lab/sample_dataset.jsonl', /line 1, field time: expected a time .*arrivals/],
    ['inference-lab/chat-poisson-5rps.toml', /not known.*windtunnel trace import/],
    ['inference-sim/multiturn-chat-demo.yaml', /not known.*windtunnel trace import/],
    ['servegen/mm-image/chunk-7-trace.csv', /not known.*windtunnel trace import/],
  ])('%s says what to do', async (file, message) => {
    const { status, stderr } = await windtunnel('run', 'plain.yaml', '--trace', join(traces, file))
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(message) })
  })

  it('lengths without times are replayed at a rate', async () => {
    const file = join(traces, 'vidur/arxiv_summarization_stats_llama2_tokenizer_filtered_v2.csv')
    const arrivals = 'traffic.trace.arrivals={"name":"poisson","requestsPerSecond":20}'
    const flags = ['--set', arrivals, '--set', 'run.maxRequests=500', '--json']
    const { stdout, stderr } = await windtunnel('run', 'plain.yaml', '--trace', file, ...flags)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout).requests.completed).toBe(500)
  })

  it.each([
    ['inference-lab/chat-closed-64.toml'],
    ['inference-lab/chat-poisson-5rps.toml'],
    ['inference-lab/batched-3000.toml'],
    ['inference-sim/inference-perf-shared-prefix.yaml'],
    ['inference-sim/multiturn-chat-demo.yaml'],
    ['inference-sim/regression_workload_load_spikes.yaml'],
    ['servegen/mm-image/chunk-7-trace.csv', 'servegen/mm-image/chunk-7-dataset.json'],
    ['servegen/mm-image/chunk-25-trace.csv', 'servegen/mm-image/chunk-25-dataset.json'],
    ['servegen/reason-deepseek-r1/chunk-2-trace.csv', 'servegen/reason-deepseek-r1/chunk-2-dataset.json'],
  ])('%s becomes a scenario that runs', async (...files) => {
    const { status, stdout, stderr } = await windtunnel('trace', 'import', ...files.map((file) => join(traces, file)))
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    write('imported.yaml', `version: 1\nmodel: llama-3.1-8b\ncost: roofline\nfleet: [{ hardware: h100 }]\n${stdout}`)
    const run = await windtunnel('run', 'imported.yaml', '--duration', '10', '--json')
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('tells the known figures of Azure conversation and Mooncake synthetic', async () => {
    const inspected = async (file: string) =>
      JSON.parse((await windtunnel('trace', 'inspect', join(traces, file), '--json')).stdout)
    const azure = await inspected('azure2023/AzureLLMInferenceTrace_conv.csv')
    expect(azure).toMatchObject({ rows: 19366, input: { p50: 1020, p99: 4142 }, output: { p50: 129, p99: 601 } })
    expect(azure.requestsPerSecond).toBeCloseTo(5.53, 2)
    expect(azure.interarrivalCv).toBeCloseTo(1.09, 2)
    const mooncake = await inspected('mooncake/synthetic_trace.jsonl')
    expect(mooncake.rows).toBe(3993)
    expect(mooncake.prefix.blockShare).toBeCloseTo(0.64, 3)
    expect(mooncake.prefix.tokenShare).toBeCloseTo(0.6504, 4)
  })
})
