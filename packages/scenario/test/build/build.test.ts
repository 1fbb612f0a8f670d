import { RunRecorder } from '@windtunnel/metrics'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import { describe, expect, it } from 'vitest'
import { buildRun } from '../../src/build/buildRun.ts'
import { labelsOf } from '../../src/build/labels.ts'
import { runFacts } from '../../src/build/runFacts.ts'
import { runBatch, runBatchFrom } from '../../src/drivers/batch.ts'
import { readOverride } from '../../src/overrides/override.ts'
import { readScenario } from '../../src/schema/decode.ts'

/** Steps of 10 ms, and nothing else: times can be worked out by hand. */
const text = `version: 1
model: llama-3.1-8b
cost: { backend: linear, secondsPerStep: 0.01, secondsPerPrefillToken: 0, secondsPerDecodeSequence: 0 }
objectives: { chat: { ttftSeconds: 0.02 } }
fleet: [{ name: only, hardware: h100, engine: { asyncScheduling: false } }]
traffic:
  arrivals: { name: constant, requestsPerSecond: 1 }
  structure: { name: single, input: { name: fixed, tokens: 100 }, output: { name: fixed, tokens: 5 } }
run: { maxRequests: 4 }
`
const build = (...set: string[]) => buildRun(readScenario(text, 'x.yaml', set.map(readOverride)))

const bytes = async function* (content: string, size: number): AsyncGenerator<Uint8Array> {
  const all = new TextEncoder().encode(content)
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
}

describe('building a scenario', () => {
  it('makes a fleet whose times can be worked out: one step to the first token, four more gaps', () => {
    const run = build()
    const recorder = new RunRecorder({ objectives: run.objectives }).attach(run.simulation)
    runBatch(run.simulation)
    const summary = recorder.document(run.simulation, labelsOf(run, 0))
    expect(summary.requests).toMatchObject({ arrived: 4, completed: 4 })
    expect(summary.ttft.mean).toBeCloseTo(0.01, 12)
    expect(summary.itl).toMatchObject({ count: 16 })
    expect(summary.itl.mean).toBeCloseTo(0.01, 12)
    expect(summary.e2e.mean).toBeCloseTo(0.05, 12)
    expect(summary.goodput).toBeCloseTo(summary.throughput.requestsPerSecond, 12)
  })

  it('takes vLLM defaults for the accelerator where the scenario leaves them open', () => {
    const sizes = (hardware: string) => build(`fleet[0].hardware=${hardware}`).pools[0]!.engine
    expect(sizes('h100')).toMatchObject({ maxBatchedTokens: 8192, maxSequences: 1024 })
    expect(sizes('a100-sxm-80gb')).toMatchObject({ maxBatchedTokens: 2048, maxSequences: 256 })
    expect(sizes('l40s')).toMatchObject({ maxBatchedTokens: 2048, maxSequences: 256 })
  })

  it('says where a model does not fit, with the smallest layout that would', () => {
    expect(() => build('model=llama-3.1-70b')).toThrow(/^fleet\[0\] \(only\): llama-3\.1-70b does not fit .* tp 2/)
    expect(() => build('fleet[0].layout.tp=3')).toThrow(/^fleet\[0\] \(only\): .*tp/)
  })

  it('warns when the KV cache holds less than the longest request', () => {
    expect(build('fleet[0].engine.kvBlocks=100').warnings.join()).toMatch(/holds 1600 tokens/)
  })

  it('tells viewers names and choices', () => {
    expect(runFacts(build())).toMatchObject({
      model: 'llama-3.1-8b',
      pools: [{ name: 'only', accelerator: 'h100-sxm', acceleratorsPerReplica: 1, layout: 'TP1' }],
      objectives: [{ serviceClass: 'chat', ttft: 0.02 }],
      arrivalRate: 1,
      rateSteerable: true,
      router: 'round-robin',
    })
  })
})

describe('replaying a trace', () => {
  const rows = Array.from({ length: 50 }, (_, at) => `2023-11-16 18:17:${String(at).padStart(2, '0')}.0,100,5`)
  const trace = ['TIMESTAMP,ContextTokens,GeneratedTokens', ...rows].join('\n')
  const replay = readScenario(
    text
      .replace(/ {2}arrivals.*\n {2}structure.*\n/, '  trace: { file: x.csv, rateScale: 2 }\n')
      .replace(/^run.*\n/m, ''),
  )

  it('reads pieces of any size to the same facts, and ends with the last request', async () => {
    const facts = async (size: number) => {
      const run = buildRun(replay, { trace: bytes(trace, size) })
      const recorder = new RunRecorder().attach(run.simulation)
      await runBatchFrom(run.simulation, run.refill!)
      return recorder.document(run.simulation, labelsOf(run, 0))
    }
    const whole = await facts(1_000_000)
    expect(whole.requests).toMatchObject({ arrived: 50, completed: 50 })
    // The last of 50 rows a second apart, at twice the rate, arrives at 24.5 s; five steps of 10 ms follow.
    expect(whole.simulatedSeconds).toBeCloseTo(24.55, 9)
    expect((await facts(7)).factsHash).toBe(whole.factsHash)
  })

  it('names the file and the line of a bad row', async () => {
    const run = buildRun(replay, { trace: bytes(trace.replace('100,5', 'many,5'), 64) })
    await expect(runBatchFrom(run.simulation, run.refill!)).rejects.toThrow(
      /^traffic\.trace \(x\.csv\): azure trace, line 2/,
    )
  })
})

describe('the engines', () => {
  const ttfts = (engine: string) => {
    const run = build(`fleet[0].engine=${engine}`)
    const recorder = new RunRecorder().attach(run.simulation)
    runBatch(run.simulation)
    return recorder.document(run.simulation, labelsOf(run, 0))
  }

  it('are known by name, each with options of its own', () => {
    expect(ttfts('static').requests.completed).toBe(4)
    expect(ttfts('sglang').requests.completed).toBe(4)
    expect(() => build('fleet[0].engine={"name":"static","prefixCache":true}')).toThrow(/prefixCache: unknown option/)
    expect(() => build('fleet[0].engine={"name":"vllm","maxBatchedTokens":10}')).toThrow(
      /^fleet: .*maxBatchedTokens 10/,
    )
  })
})

describe('KV that travels', () => {
  /** gpt-oss-20b: 24 layers of 8 KV heads of 64, 2048 bytes a token each; every other one keeps the last 128 tokens. */
  it('is that of the text at the end of its windows', () => {
    const text = `version: 1
model: gpt-oss-20b
fleet:
  - { name: p, role: prefill, hardware: h100, engine: vllm }
  - { name: g, role: generate, hardware: h100, engine: vllm }
traffic:
  arrivals: { name: constant, requestsPerSecond: 1 }
  structure: { name: single, input: { name: fixed, tokens: 1000 }, output: { name: fixed, tokens: 2 } }
run: { maxRequests: 1 }
`
    const sent: number[] = []
    class Sent extends SilentObserver {
      override transferStarted(_request: number, _time: number, _from: number, _to: number, bytes: number): void {
        sent.push(bytes)
      }
    }
    const { simulation } = buildRun(readScenario(text, 'x.yaml'))
    simulation.observe(new Sent())
    runBatch(simulation)
    expect(sent).toEqual([12 * 2048 * 1000 + 12 * 2048 * 128])
  })
})

describe('a straggler', () => {
  const slow = (rest: string) => `${text}stragglers: [{ ${rest} }]\n`

  it('makes the steps longer that its replica composes meanwhile', () => {
    const run = buildRun(readScenario(slow('fromSeconds: 1.5, untilSeconds: 3.5, factor: 3'), 'x.yaml'))
    const recorder = new RunRecorder({ objectives: run.objectives }).attach(run.simulation)
    runBatch(run.simulation)
    // Of four requests, a second apart from the first on, two meet steps of 30 ms.
    expect(recorder.document(run.simulation, labelsOf(run, 0)).ttft.mean).toBeCloseTo(0.02, 12)
  })

  it('must be of the fleet, and end after it begins', () => {
    const read = (rest: string) => () => readScenario(slow(rest), 'x.yaml')
    expect(read('replica: 1, fromSeconds: 1, untilSeconds: 2')).toThrow('the fleet has replicas 0 to 0; found 1')
    expect(read('fromSeconds: 2, untilSeconds: 2')).toThrow('it must be after fromSeconds 2; found 2')
  })
})
