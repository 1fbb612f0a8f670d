import { DetailsObserver, RunRecorder } from '@windtunnel/metrics'
import { describe, expect, it } from 'vitest'
import { buildRun } from '../../src/build/buildRun.ts'
import { measuredWindowOf } from '../../src/build/measuredWindow.ts'
import { detailsOptionsOf } from '../../src/build/replicaProfiles.ts'
import { runBatch } from '../../src/drivers/batch.ts'
import { decodeScenario } from '../../src/schema/decode.ts'

const document = (run: object) => ({
  lineOf: () => undefined,
  source: 'test',
  value: {
    version: 1,
    model: 'llama-3.1-8b',
    cost: 'roofline',
    fleet: [{ hardware: 'h100' }],
    traffic: {
      arrivals: { name: 'constant', requestsPerSecond: 2 },
      structure: { name: 'single', input: { name: 'fixed', tokens: 100 }, output: { name: 'fixed', tokens: 5 } },
      clients: { roundTripSeconds: 0.25 },
    },
    run,
  },
})

function played(run: object) {
  const scenario = decodeScenario(document(run) as never)
  const built = buildRun(scenario)
  const details = new DetailsObserver(detailsOptionsOf(built))
  const recorder = new RunRecorder({ window: measuredWindowOf(scenario), recordings: [details] })
  recorder.attach(built.simulation)
  runBatch(built.simulation, { durationSeconds: scenario.run.durationSeconds! })
  const summary = recorder.document(built.simulation, {} as never)
  return { summary, details: details.details(recorder.summary, built.simulation.view()) }
}

describe('warm-up and cool-down of a run', () => {
  it('change what is counted, never what happens', () => {
    const whole = played({ durationSeconds: 10 })
    const part = played({ durationSeconds: 10, warmUpSeconds: 2.25, coolDownSeconds: 3.25 })
    expect(part.summary.factsHash).toBe(whole.summary.factsHash)
    expect(part.summary.requests).toEqual(whole.summary.requests)
    // Two a second: those of 2.5, 3, ... 6.5 s.
    expect(part.details.window).toEqual({ fromSeconds: 2.25, untilSeconds: 6.75, arrived: 9 })
    expect(part.summary.ttft.count).toBe(9)
    expect(part.summary.throughput.requestsPerSecond).toBe(2)
  })

  it('must leave something, and a cool-down needs an end to count back from', () => {
    expect(() => decodeScenario(document({ durationSeconds: 5, warmUpSeconds: 5 }) as never)).toThrow(
      /warm-up and cool-down of 5 and 0 s leave nothing of 5 s/,
    )
    expect(() => decodeScenario(document({ maxRequests: 5, coolDownSeconds: 1 }) as never)).toThrow(
      /add durationSeconds/,
    )
  })
})

describe('the profile of a replica', () => {
  it('has the FLOPs and bytes of a model on its accelerators', () => {
    const { profileOf } = detailsOptionsOf(buildRun(decodeScenario(document({ durationSeconds: 1 }) as never)))
    const { work, accelerators, blockTokens } = profileOf(0)
    expect({ accelerators, blockTokens }).toEqual({ accelerators: 1, blockTokens: 16 })
    expect(work!.peakFlopsPerSecond).toBe(989e12)
    expect(work!.memoryBytesPerSecond).toBe(3.35e12)
    // Llama 3.1 8B: 32 layers of 32 query and 8 KV heads of 128; 7.5 billion parameters in matmuls.
    expect(work!.attention).toEqual([
      { windowTokens: undefined, flopsPerPair: 32 * 4 * 32 * 128, keyValueBytes: 32 * 2 * 8 * 128 * 2 },
    ])
    const layer = 4096 * 4096 * 2 + 4096 * 1024 * 2 + 3 * 4096 * 14336
    expect(work!.weightBytes(1)).toBe(2 * (32 * layer + 128256 * 4096))
    expect(work!.weightFlopsPerToken / (work!.weightBytes(1) / 2)).toBeCloseTo(2, 3)
  })

  it("reads the client's round trip into TTFT from sending", () => {
    const { summary, details } = played({ durationSeconds: 10 })
    expect(details.ttftFromSend.mean).toBeCloseTo(summary.ttft.mean! + 0.25, 9)
  })
})
