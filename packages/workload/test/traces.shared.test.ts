import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toSeconds } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import {
  emptyDraft,
  feed,
  readTrace,
  serveGenStream,
  syntheticSource,
  TraceInspector,
  TraceReader,
  type TraceReaderOptions,
  TraceSource,
  type TraceSummary,
} from '../src/index.ts'

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')
const data = resolve(repository, process.env['WINDTUNNEL_DATA'] ?? '../shared')
const traces = join(data, 'data/traces')
const missing = !existsSync(traces)
if (missing) console.warn(`traces.shared.test.ts: skipped, there is no folder ${traces} (set WINDTUNNEL_DATA)`)

const bytesOf = (name: string): Uint8Array => readFileSync(join(traces, name))
const textOf = (name: string): string => readFileSync(join(traces, name), 'utf8')

function inspect(name: string, options: TraceReaderOptions = {}): TraceSummary & { format: string | undefined } {
  const inspector = new TraceInspector()
  const reader = new TraceReader(options)
  const bytes = bytesOf(name)
  const drain = () => {
    for (let row = reader.next(); row !== undefined; row = reader.next()) inspector.add(row)
  }
  for (let at = 0; at < bytes.length; at += 10_007) {
    reader.push(bytes.subarray(at, at + 10_007))
    drain()
  }
  reader.end()
  drain()
  return { ...inspector.summary(), format: reader.format }
}

describe.skipIf(missing)('real traces (skipped without the shared data folder)', () => {
  it('Azure 2023 conversation: 19,366 rows, 5.53 a second, cv 1.09, input 1020/4142, output 129/601', () => {
    const summary = inspect('azure2023/AzureLLMInferenceTrace_conv.csv')
    expect(summary.format).toBe('azure')
    expect(summary.rows).toBe(19_366)
    expect(summary.instants).toBe(19_366)
    expect(summary.requestsPerSecond).toBeCloseTo(5.53, 2)
    expect(summary.interarrivalCv).toBeCloseTo(1.09, 2)
    expect([summary.input.p50, summary.input.p99, summary.output.p50, summary.output.p99]).toEqual([
      1020, 4142, 129, 601,
    ])
    expect(summary.output.minimum).toBe(7)
  })
  it("Vidur's splitwise_conv is Azure conversation from time 0: no row differs", () => {
    const azure = readTrace(textOf('azure2023/AzureLLMInferenceTrace_conv.csv'))
    const vidur = readTrace(textOf('vidur/splitwise_conv.csv'))
    expect(vidur.length).toBe(azure.length)
    const origin = azure[0]!.time
    const different = vidur.filter((row, i) => {
      const other = azure[i]!
      const seconds = other.time.seconds - origin.seconds + (other.time.ticks - origin.ticks) / 2 ** 44
      const sameTime = Math.abs(toSeconds(row.time) - seconds) < 1e-9
      return !sameTime || row.inputTokens !== other.inputTokens || row.outputTokens !== other.outputTokens
    })
    expect(different).toEqual([])
  })
  it('Mooncake synthetic: 3,993 rows, 64.0 % of blocks and 65.04 % of tokens reusable', () => {
    const summary = inspect('mooncake/synthetic_trace.jsonl')
    expect([summary.format, summary.rows, summary.input.maximum]).toEqual(['mooncake', 3993, 191_378])
    expect(summary.prefix!.blockShare).toBeCloseTo(0.64, 3)
    expect(summary.prefix!.tokenShare).toBeCloseTo(0.6504, 4)
  })
  it('Mooncake conversation: begins with a burst, up to 28 requests at one instant, id 0 in every row', () => {
    const rows = readTrace(textOf('mooncake/conversation_trace.first2000.jsonl'))
    expect(rows.length).toBe(2000)
    expect(rows.every((row) => row.contents[0] === 0)).toBe(true)
    const at = new Map<number, number>()
    for (const row of rows) at.set(toSeconds(row.time), (at.get(toSeconds(row.time)) ?? 0) + 1)
    expect(Math.max(...at.values())).toBeLessThanOrEqual(28)
    expect(at.get(0)!).toBeGreaterThan(1)
  })
  it.each([
    ['vidur/arxiv_summarization_stats_llama2_tokenizer_filtered_v2.csv', 'vidurLengths', 28_257],
    ['splitwise-sim/test_trace.csv', 'splitwise', 3],
    ['ragpulse/0_trace.first2000.jsonl', 'ragPulse', 2000],
    ['llmservingsim/sharegpt-llama-3.1-8b-300-sps10.lengths.jsonl', 'llmServingSim', 300],
    ['llmservingsim/example_trace.jsonl', 'llmServingSim', 10],
    ['inference-lab/sample_dataset.jsonl', 'openAiBatch', 5],
    ['inference-perf/trace.csv', 'azure', 20],
    ['inference-perf/otel/parallel_requests.json', 'otel', 5],
    ['inference-perf/otel/prefix_sharing_example.json', 'otel', 7],
    ['inference-perf/otel/simple_chain.json', 'otel', 3],
    ['synthetic/azure2024_tz.csv', 'azure', 3],
    ['synthetic/burstgpt_v1_6col.csv', 'burstGpt', 7],
    ['synthetic/burstgpt_v2_8col.csv', 'burstGpt', 4],
    ['synthetic/llmservingsim_agentic.jsonl', 'llmServingSim', 3],
    ['synthetic/qwen_bailian_blk16.jsonl', 'qwenBailian', 3],
    ['synthetic/weka_session.json', 'weka', 4],
  ])('%s is recognised as %s and has %i requests', (name, format, rows) => {
    const summary = inspect(name, { times: 'optional' })
    expect([summary.format, summary.rows]).toEqual([format, rows])
  })
  it.each(['mm-image/chunk-7', 'mm-image/chunk-25', 'reason-deepseek-r1/chunk-2', 'reason-deepseek-r1/chunk-50'])(
    'ServeGen %s makes about as many requests as its rates say',
    (name) => {
      const traceText = textOf(`servegen/${name}-trace.csv`)
      const stream = serveGenStream(traceText, textOf(`servegen/${name}-dataset.json`))
      // Each window is 600 s at the rate of its second field.
      const expected = traceText.split('\r\n').reduce((sum, line) => sum + 600 * Number(line.split(',')[1] ?? 0), 0)
      const source = syntheticSource({ seed: 1, streams: [stream] })
      const draft = emptyDraft()
      let requests = 0
      while (source.peek(draft.arrival)) {
        source.take(draft)
        requests++
      }
      expect(requests / expected).toBeGreaterThan(0.8)
      expect(requests / expected).toBeLessThan(1.2)
    },
  )
  it('an unsorted Azure file with a mark, CRLF, a blank line and a zero: errors, or sorted with the zero left out', () => {
    const name = 'synthetic/azure_bom_unsorted_blank_zero.csv'
    expect(() => inspect(name)).toThrow('line 3, field TIMESTAMP')
    expect(() => inspect(name, { order: 'any' })).toThrow('line 5, field output tokens')
    const reader = new TraceReader({ order: 'any', zeroTokens: 'skip' })
    const source = new TraceSource({ seed: 1, sort: true })
    reader.push(bytesOf(name))
    reader.end()
    feed(source, reader)
    const draft = emptyDraft()
    source.take(draft)
    expect([toSeconds(draft.arrival), draft.inputTokens]).toEqual([0, 20])
    source.take(draft)
    expect([toSeconds(draft.arrival), draft.inputTokens]).toEqual([1, 10])
    expect(reader.counts).toMatchObject({ rows: 2, blankLines: 1, zeroRows: 1 })
  })
})
