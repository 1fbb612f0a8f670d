import { RandomStream, timeFromSeconds } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import {
  createSimulation,
  disaggregated,
  type EngineContext,
  interleaved,
  type JetstreamOptions,
  routers,
  schedulers,
  staticBatching,
} from '../../src/index.ts'
import { pick, randomStepCost, randomTraffic } from '../reference/randomTraffic.ts'
import { Recorder } from '../reference/recorder.ts'

const limits = { maxSequences: 3, blockSize: 4, totalBlocks: 200, maxModelLength: 240, prefixCache: false }

const jetstream: JetstreamOptions = {
  ...limits,
  prefillEngines: 2,
  generateEngines: 2,
  buckets: [16, 64],
  maxPrefillLength: 160,
  chunkTokens: 0,
  prefillBacklog: 0,
  transferBacklog: 1,
  generateBacklog: 1,
  detokeniseBacklog: 2,
  target: 'mostFreeSlots',
  slotCost: 'live',
  strict: false,
  kvBytesPerToken: 1000,
  transferBytesPerSecond: 1e8,
  transferLatencySeconds: 0.001,
  insertBytesPerSecond: 1e8,
  detokeniseSecondsPerStep: 0.0005,
  detokeniseSecondsPerSequence: 0,
}

const engines = {
  static: (context: EngineContext) => staticBatching.create(context, { ...limits, maxWaitSeconds: 0.01 }),
  interleaved: (context: EngineContext) => interleaved.create(context, jetstream),
  'interleaved, strict': (context: EngineContext) => interleaved.create(context, { ...jetstream, strict: true }),
  disaggregated: (context: EngineContext) => disaggregated.create(context, jetstream),
}

describe.each(Object.entries(engines))(
  '%s, while replicas come, drain and die and the queue is reordered',
  (_, createEngine) => {
    it('every arrived request ends exactly once', () => {
      for (let seed = 1; seed <= 60; seed++) {
        const random = new RandomStream(seed, 'commands')
        const recorder = new Recorder()
        const simulation = createSimulation({
          pools: [
            {
              name: 'main',
              role: 'both',
              replicas: 3,
              createEngine,
              scheduler: schedulers.get('fcfs')!,
              cost: randomStepCost(random, seed % 2 === 0),
              frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
              startUpSeconds: 0,
            },
          ],
          source: randomTraffic(random, seed % 2 === 0),
          router: routers.get('least-loaded')!,
          retries: seed % 3,
          seed,
        })
        simulation.observe(recorder)
        let at = 0
        const later = (): void => {
          at += random.uniform() * 0.1
          simulation.runUntil(timeFromSeconds(at), 100_000)
        }
        later()
        simulation.apply({ kind: 'scheduler', name: pick(random, ['shortest-first', 'priority']) })
        later()
        simulation.apply({ kind: 'killReplica', replica: 0 })
        simulation.apply({ kind: 'addReplica', pool: 'main' })
        later()
        simulation.apply({ kind: 'removeReplica', replica: 1 })
        simulation.apply({ kind: 'scheduler', name: 'fcfs' })
        simulation.runUntil(timeFromSeconds(1000), 200_000)
        expect(simulation.stuck?.(), `scenario ${seed}`).toBeUndefined()
        const of = (what: string): string[] =>
          recorder.facts.filter((fact) => fact.startsWith(`${what} `)).map((fact) => fact.split(' ')[1]!)
        expect(of('ended').sort(), `scenario ${seed}`).toEqual(of('arrived').sort())
        for (const replica of simulation.view().replicas.slice(1)) expect(replica.usedBlocks).toBe(0)
      }
    })
  },
)
