import { DetailsObserver, RunRecorder } from '@windtunnel/metrics'
import { describe, expect, it } from 'vitest'
import { buildRun } from '../../src/build/buildRun.ts'
import { measuredWindowOf } from '../../src/build/measuredWindow.ts'
import { detailsOptionsOf } from '../../src/build/replicaProfiles.ts'
import { runBatch } from '../../src/drivers/batch.ts'
import { decodeScenario } from '../../src/schema/decode.ts'

const document = (engine: object, run: object) => ({
  lineOf: () => undefined,
  source: 'test',
  value: {
    version: 1,
    model: 'mistral-7b',
    fleet: [{ hardware: 'h100', replicas: 3, engine }],
    traffic: {
      arrivals: { name: 'poisson', requestsPerSecond: 30 },
      structure: {
        name: 'single',
        input: { name: 'uniform', minimum: 10, maximum: 6000 },
        output: { name: 'uniform', minimum: 2, maximum: 300 },
      },
    },
    run,
  },
})

/** The details of a run that somebody looks at after every so many events. */
function detailsOf(engine: object, run: object, sliceEvents: number) {
  const scenario = decodeScenario(document(engine, run) as never)
  const built = buildRun(scenario)
  const details = new DetailsObserver(detailsOptionsOf(built))
  const recorder = new RunRecorder({ window: measuredWindowOf(scenario), recordings: [details] })
  recorder.attach(built.simulation)
  runBatch(built.simulation, { durationSeconds: 20, sliceEvents, onSlice: (simulation) => void simulation.view() })
  return details.details(recorder.summary, built.simulation.view())
}

describe('the details of a run', () => {
  for (const engine of [{ name: 'vllm' }, { name: 'sglang' }, { name: 'static' }, { name: 'interleaved' }]) {
    it(`are the same to the last bit however often it is looked at: ${engine.name}`, () => {
      for (const run of [{ durationSeconds: 20 }, { durationSeconds: 20, warmUpSeconds: 3.3, coolDownSeconds: 4.7 }]) {
        const once = detailsOf(engine, run, 1e9)
        expect(once.utilisation!.meanContextShare).toBeGreaterThan(0)
        for (const events of [1, 7, 100]) expect(detailsOf(engine, run, events)).toEqual(once)
      }
    })
  }
})
