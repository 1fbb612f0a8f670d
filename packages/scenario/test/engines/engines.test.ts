import { RunRecorder } from '@windtunnel/metrics'
import { describe, expect, it } from 'vitest'
import { buildRun } from '../../src/build/buildRun.ts'
import { labelsOf } from '../../src/build/labels.ts'
import { runFacts } from '../../src/build/runFacts.ts'
import { runBatch } from '../../src/drivers/batch.ts'
import { readOverride } from '../../src/overrides/override.ts'
import { readScenario } from '../../src/schema/decode.ts'

/** Steps of 10 ms, and nothing else; one request of 100 and 5 tokens at a time. */
const scenario = (engine: string): string => `version: 1
model: llama-3.1-8b
cost: { backend: linear, secondsPerStep: 0.01, secondsPerPrefillToken: 0, secondsPerDecodeSequence: 0 }
fleet: [{ name: only, hardware: h100, dollarsPerAcceleratorHour: 2, engine: { ${engine} } }]
traffic:
  arrivals: { name: constant, requestsPerSecond: 1 }
  structure: { name: single, input: { name: fixed, tokens: 100 }, output: { name: fixed, tokens: 5 } }
run: { maxRequests: 4 }
`
const build = (engine: string, ...set: string[]) =>
  buildRun(readScenario(scenario(engine), 'x.yaml', set.map(readOverride)))

function figures(engine: string) {
  const run = build(engine)
  const recorder = new RunRecorder({ objectives: run.objectives }).attach(run.simulation)
  runBatch(run.simulation)
  const { requests, ttft, e2e } = recorder.document(run.simulation, labelsOf(run, 0))
  return { completed: requests.completed, ttft: ttft.mean, e2e: e2e.mean }
}

const free = 'insertBytesPerSecond: 1.0e30, detokeniseSecondsPerStep: 0, detokeniseSecondsPerSequence: 0'

describe('engines that run whole requests', () => {
  it('static batching waits for its batch: a prefill and four steps after that', () => {
    const alone = figures('name: static')
    expect(alone.completed).toBe(4)
    expect(alone.ttft).toBeCloseTo(0.01, 12)
    const waiting = figures('name: static, maxSequences: 2, maxWaitSeconds: 0.5')
    expect(waiting.ttft).toBeCloseTo(0.51, 12)
    expect(waiting.e2e).toBeCloseTo(0.55, 12)
  })

  it('interleaved JetStream adds the time to detokenise', () => {
    const plain = figures(`name: interleaved, ${free}`)
    expect(plain.ttft).toBeCloseTo(0.01, 12)
    expect(plain.e2e).toBeCloseTo(0.05, 12)
    const detokenising = figures(`name: interleaved, ${free.replace('PerStep: 0', 'PerStep: 0.002')}`)
    expect(detokenising.ttft).toBeCloseTo(0.012, 12)
    expect(detokenising.e2e).toBeCloseTo(0.052, 12)
  })

  it('disaggregated JetStream adds the copy of the prefix', () => {
    const { ttft, e2e } = figures(
      `name: disaggregated, ${free}, transferLatencySeconds: 0.003, transferBytesPerSecond: 1.0e30`,
    )
    expect(ttft).toBeCloseTo(0.01, 12)
    expect(e2e).toBeCloseTo(0.053, 12)
  })

  it('a server of several engines has the accelerators of all of them, at their price', () => {
    const run = build('name: disaggregated, prefillEngines: 1, generateEngines: 2', 'fleet[0].layout.tp=2')
    expect(run.pools[0]!.acceleratorsPerReplica).toBe(6)
    expect(runFacts(run)).toMatchObject({ dollarsPerAcceleratorHour: 2, pools: [{ acceleratorsPerReplica: 6 }] })
    expect(build('name: interleaved, engines: 3').pools[0]!.acceleratorsPerReplica).toBe(3)
  })

  it('JetStream has as many slots as its memory has rows, and a generate backlog of a third of them', () => {
    // 1000 blocks of 16 tokens hold 15 rows of 1024.
    const { engine } = build('name: disaggregated, kvBlocks: 1000, maxModelLength: 1024').pools[0]!
    expect(engine).toMatchObject({ maxSequences: 15, generateBacklog: 5, transferBacklog: 4, maxPrefillLength: 1024 })
    expect(() => build('name: disaggregated, kvBlocks: 10')).toThrow('use a shorter maxModelLength')
    expect(() => build('name: interleaved, kvBlocks: 300, maxSequences: 2')).toThrow('use fewer slots')
  })

  it('JetStream keeps whole prompts in the memory of its prefill engines, which interleaved ones share with slots', () => {
    // 131,072 bytes a token: 2^21 bytes a block of 16. 10 GB are 4,769 of 5,000 blocks.
    const cached = 'kvBlocks: 5000, maxModelLength: 1024, chunkTokens: 512, prefixCacheBytes: 10.0e9'
    const apart = build(`name: disaggregated, ${cached}`).pools[0]!.engine
    expect(apart).toMatchObject({
      prefixCache: true,
      maxSequences: 78,
      prefixTrie: { deviceBytes: 10e9, hostBytes: 100e9, hostBytesPerSecond: 25e9, copyBytesPerSecond: 3.35e12 / 2 },
    })
    expect(build(`name: interleaved, ${cached}`).pools[0]!.engine).toMatchObject({ maxSequences: 3, totalBlocks: 231 })
    expect(() => build(`name: interleaved, ${cached.replace('10.0e9', '11.0e9')}`)).toThrow(
      'keep less in the prefix cache',
    )
    expect(() => build(`name: interleaved, ${cached.replace('chunkTokens: 512', 'chunkTokens: 0')}`)).toThrow(
      'set chunkTokens',
    )
  })

  it('cannot be one side of a disaggregated fleet', () => {
    expect(() => build('name: static', 'fleet[0].role=prefill')).toThrow(/runs whole requests.*role both/)
  })
})
