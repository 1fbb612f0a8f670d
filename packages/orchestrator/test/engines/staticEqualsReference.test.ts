import { RandomStream } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import {
  createSimulation,
  routers,
  type Simulation,
  type StaticOptions,
  schedulers,
  staticBatching,
} from '../../src/index.ts'
import { NaiveFleet } from '../reference/naiveFleet.ts'
import { NaiveStatic } from '../reference/naiveStatic.ts'
import { pick, randomStepCost, randomTraffic } from '../reference/randomTraffic.ts'
import { Recorder } from '../reference/recorder.ts'
import { seedsFrom } from '../reference/seeds.ts'
import { randomStragglers, slowed } from '../reference/slowed.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }
const { seeds, timeout, atLeast } = seedsFrom(300)

function scenario(seed: number) {
  const random = new RandomStream(seed, 'static')
  const grid = random.uniform() < 0.5
  const blockSize = pick(random, [1, 4, 16])
  const options: StaticOptions = {
    maxSequences: 1 + random.integer(8),
    blockSize,
    totalBlocks: Math.ceil((60 + random.integer(pick(random, [60, 400, 3000]))) / blockSize),
    maxModelLength: pick(random, [100, 400]),
    prefixCache: false,
    maxWaitSeconds: pick(random, [0, 0, 4 / 1024, 0.05]),
  }
  const replicas = 1 + random.integer(2)
  return {
    options,
    replicas,
    cost: randomStepCost(random, grid),
    windowTokens: random.uniform() < 0.5 ? 1 + random.integer(80) : undefined,
    source: randomTraffic(random, grid),
    stragglers: randomStragglers(random, replicas, grid),
  }
}

function fast(seed: number, recorder: Recorder): Simulation {
  const { options, replicas, cost, windowTokens, source, stragglers } = scenario(seed)
  const simulation = createSimulation({
    pools: [
      {
        name: 'main',
        role: 'both',
        replicas,
        createEngine: (context) => staticBatching.create(context, options),
        scheduler: schedulers.get('fcfs')!,
        cost,
        attentionWindowTokens: windowTokens,
        frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
        startUpSeconds: 0,
      },
    ],
    source,
    stragglers,
    router: routers.get('round-robin')!,
    seed,
  })
  simulation.observe(recorder)
  return simulation
}

describe('the static engine', () => {
  it(
    'tells the same facts and gaps as a naive one that takes every step, bit for bit',
    () => {
      let departed = 0
      let rejected = 0
      for (const seed of seeds) {
        const recorder = new Recorder()
        const simulation = fast(seed, recorder)
        simulation.runUntil(FOREVER, 100_000)
        const { replicas, options, cost, windowTokens, source, stragglers } = scenario(seed)
        const naive = new Recorder()
        new NaiveFleet(
          source,
          replicas,
          naive,
          (around) =>
            new NaiveStatic(
              options,
              slowed(cost, stragglers, around.replica, () => around.now()),
              windowTokens,
              around,
            ),
        ).run()
        expect(recorder.facts, `scenario ${seed}`).toEqual(naive.facts)
        expect(recorder.sortedGaps(), `gaps of scenario ${seed}`).toEqual(naive.sortedGaps())
        if ((naive.endings['cancelled'] ?? 0) + (naive.endings['timedOut'] ?? 0) > 0) departed += 1
        if ((naive.endings['rejected'] ?? 0) > 0) rejected += 1
        for (const replica of simulation.view().replicas) {
          expect(replica.usedBlocks, `blocks left in scenario ${seed}`).toBe(0)
          expect(replica.running + replica.waiting).toBe(0)
          expect(replica.peakUsedBlocks).toBeLessThanOrEqual(replica.totalBlocks)
        }
      }
      expect(departed).toBeGreaterThanOrEqual(atLeast(0.25))
      expect(rejected).toBeGreaterThanOrEqual(atLeast(0.1))
    },
    timeout,
  )

  it('gives the same facts however a run is split and looked at', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const whole = new Recorder()
      fast(seed, whole).runUntil(FOREVER, 100_000)
      const pieces = new Recorder()
      const simulation = fast(seed, pieces)
      const random = new RandomStream(seed, 'cuts')
      for (let at = 0; at < 1; at += random.uniform() * 0.2) {
        simulation.runUntil({ seconds: Math.floor(at), ticks: Math.floor((at % 1) * 2 ** 44) }, 1000)
        simulation.view()
      }
      while (simulation.runUntil(FOREVER, 1) > 0) simulation.view()
      expect(pieces.facts).toEqual(whole.facts)
      expect(pieces.sortedGaps()).toEqual(whole.sortedGaps())
    }
  })
})
