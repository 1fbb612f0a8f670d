import { RandomStream } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import {
  createSimulation,
  disaggregated,
  interleaved,
  type JetstreamOptions,
  type PrefixTrieOptions,
  routers,
  type Simulation,
  schedulers,
} from '../../src/index.ts'
import { NaiveFleet } from '../reference/naiveFleet.ts'
import { NaiveJetstream } from '../reference/naiveJetstream.ts'
import { pick, randomStepCost, randomTraffic } from '../reference/randomTraffic.ts'
import { Recorder } from '../reference/recorder.ts'
import { seedsFrom } from '../reference/seeds.ts'
import { randomStragglers, slowed } from '../reference/slowed.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }
const { seeds, timeout, atLeast } = seedsFrom(400)

function scenario(seed: number) {
  const random = new RandomStream(seed, 'jetstream')
  const grid = random.uniform() < 0.5
  const mixed = random.uniform() < 0.5
  const strict = random.uniform() < 0.5
  const maxSequences = 1 + random.integer(6)
  const maxModelLength = pick(random, [100, 240])
  const blockSize = pick(random, [1, 16])
  const generateEngines = 1 + random.integer(3)
  const chunkTokens = pick(random, [0, 8, 10, 16])
  const deviceValues = 1 + random.integer(4)
  const prefixTrie: PrefixTrieOptions = {
    deviceBytes: deviceValues * 60_000,
    hostBytes: (deviceValues + random.integer(8)) * 60_000,
    hostBytesPerSecond: pick(random, [1024e4, 1e8, Number.POSITIVE_INFINITY]),
    copyBytesPerSecond: pick(random, [1024e4, 1e9, Number.POSITIVE_INFINITY]),
  }
  const cached = chunkTokens > 0 && random.uniform() < 0.8
  const detokenise = pick(random, [0, 0, 1, 8]) * (grid ? 1 / 1024 : 7e-4)
  const options: JetstreamOptions = {
    prefillEngines: mixed ? generateEngines : 1 + random.integer(strict ? generateEngines : 3),
    generateEngines,
    maxSequences,
    blockSize,
    totalBlocks: maxSequences * Math.ceil(maxModelLength / blockSize),
    maxModelLength,
    prefixCache: cached,
    ...(cached ? { prefixTrie } : {}),
    buckets: [16, 32, 64, 128],
    maxPrefillLength: pick(random, [40, 150]),
    chunkTokens,
    prefillBacklog: strict ? 0 : pick(random, [0, 3]),
    transferBacklog: mixed ? 1 : pick(random, [1, 4]),
    generateBacklog: mixed ? 1 : Math.floor(maxSequences / 3),
    detokeniseBacklog: pick(random, [1, 2, 8]),
    target: pick(random, ['minBacklog', 'mostFreeSlots']),
    slotCost: pick(random, ['full', 'every', 'live']),
    strict,
    kvBytesPerToken: 1000,
    transferBytesPerSecond: pick(random, [1024e3, 1e8, Number.POSITIVE_INFINITY]),
    transferLatencySeconds: pick(random, [0, 2 / 1024]),
    insertBytesPerSecond: pick(random, [1024e4, Number.POSITIVE_INFINITY]),
    detokeniseSecondsPerStep: detokenise,
    detokeniseSecondsPerSequence: random.uniform() < 0.3 ? (grid ? 1 / 1024 : 3e-4) : 0,
  }
  const replicas = 1 + random.integer(2)
  return {
    options,
    mixed,
    replicas,
    cost: randomStepCost(random, grid),
    windowTokens: random.uniform() < 0.5 ? 1 + random.integer(80) : undefined,
    source: randomTraffic(random, grid),
    stragglers: randomStragglers(random, replicas, grid),
  }
}

function fast(seed: number, recorder: Recorder): Simulation {
  const { options, mixed, replicas, cost, windowTokens, source, stragglers } = scenario(seed)
  const kind = mixed ? interleaved : disaggregated
  const simulation = createSimulation({
    pools: [
      {
        name: 'main',
        role: 'both',
        replicas,
        createEngine: (context) => kind.create(context, options),
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

/** Observations of every histogram of every server's metrics page: how many, and their sum. */
function measured(simulation: Simulation) {
  return simulation.serverMetrics!().map(({ page }) =>
    Object.fromEntries(
      page.flatMap(({ name, sample }) =>
        sample.type === 'histogram' && sample.count > 0 ? [[name, { count: sample.count, sum: sample.sum }]] : [],
      ),
    ),
  )
}

const summed = (observed: Record<string, number[]>) =>
  Object.fromEntries(
    Object.entries(observed).map(([name, values]) => [
      name,
      { count: values.length, sum: values.reduce((sum, value) => sum + value, 0) },
    ]),
  )

describe('the JetStream engines', () => {
  it(
    'tell the same facts and gaps as a naive server that makes every step, bit for bit',
    () => {
      const noPrefixes = { hits: 0, loads: 0, evictions: 0, shadowed: 0, unsaved: 0 }
      const threads = { blockedPrefill: 0, blockedTransfer: 0, blockedGenerate: 0, wasted: 0, lateFirst: 0, stalled: 0 }
      const seen = { ...threads, ...noPrefixes }
      let departed = 0
      for (const seed of seeds) {
        const recorder = new Recorder()
        const simulation = fast(seed, recorder)
        simulation.runUntil(FOREVER, 200_000)
        const { replicas, options, mixed, cost, windowTokens, source, stragglers } = scenario(seed)
        const naive = new Recorder()
        const engines: NaiveJetstream[] = []
        new NaiveFleet(source, replicas, naive, (around) => {
          const engine = new NaiveJetstream(
            options,
            mixed,
            slowed(cost, stragglers, around.replica, () => around.now()),
            windowTokens,
            around,
          )
          engines.push(engine)
          return engine
        }).run()
        expect(recorder.facts, `scenario ${seed}`).toEqual(naive.facts)
        expect(recorder.sortedGaps(), `gaps of scenario ${seed}`).toEqual(naive.sortedGaps())
        for (const what of Object.keys(seen) as (keyof typeof seen)[])
          if (engines.some((engine) => ({ ...noPrefixes, ...engine.seen, ...engine.prefixes?.seen })[what] > 0))
            seen[what] += 1
        expect(measured(simulation), `metrics of scenario ${seed}`).toEqual(
          engines.map(({ observed }) => summed(observed)),
        )
        if ((naive.endings['cancelled'] ?? 0) + (naive.endings['timedOut'] ?? 0) > 0) departed += 1
        for (const replica of simulation.view().replicas) {
          expect(replica.usedBlocks, `slots left in scenario ${seed}`).toBe(0)
          expect(replica.running + replica.waiting, `requests left in scenario ${seed}`).toBe(0)
          expect(replica.contextTokens, `context left in scenario ${seed}`).toBe(0)
          expect(replica.peakUsedBlocks).toBeLessThanOrEqual(replica.totalBlocks)
        }
      }
      expect(departed).toBeGreaterThanOrEqual(atLeast(0.25))
      // The comparison means something only if these happen in a good part of the scenarios.
      for (const [what, scenarios] of Object.entries(seen))
        expect(scenarios, what).toBeGreaterThanOrEqual(atLeast(0.03))
    },
    timeout,
  )

  it('give the same facts however a run is split and looked at', () => {
    for (let seed = 1; seed <= 80; seed++) {
      const whole = new Recorder()
      fast(seed, whole).runUntil(FOREVER, 200_000)
      const pieces = new Recorder()
      const simulation = fast(seed, pieces)
      const random = new RandomStream(seed, 'cuts')
      for (let at = 0; at < 1; at += random.uniform() * 0.1) {
        simulation.runUntil({ seconds: Math.floor(at), ticks: Math.floor((at % 1) * 2 ** 44) }, 1000)
        simulation.view()
      }
      while (simulation.runUntil(FOREVER, 1) > 0) simulation.view()
      expect(pieces.facts, `scenario ${seed}`).toEqual(whole.facts)
      expect(pieces.sortedGaps(), `scenario ${seed}`).toEqual(whole.sortedGaps())
    }
  })
})
