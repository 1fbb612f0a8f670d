import { RandomStream } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import { createSimulation, type Outage, type SimulationConfig } from '../src/index.ts'
import { randomCommands, referUnder, runUnder } from './reference/randomCommands.ts'
import { randomScenario } from './reference/randomScenario.ts'
import { randomSglang } from './reference/randomSglang.ts'
import { pick } from './reference/randomTraffic.ts'
import { Recorder } from './reference/recorder.ts'
import { referenceSglangFleet, referenceVllmFleet } from './reference/referenceFleets.ts'
import { seedsFrom } from './reference/seeds.ts'
import { randomStragglers } from './reference/slowed.ts'

const { seeds, timeout, atLeast } = seedsFrom(400)

function randomOutages(random: RandomStream, replicas: number): Outage[] {
  const some = (): number => pick(random, [random.uniform() * 0.3, random.integer(300) / 1024])
  return Array.from({ length: 1 + random.integer(3) }, () => {
    return { replica: random.integer(replicas), atSeconds: some(), downSeconds: some() }
  })
}

/** The scenario with replicas that may take time to start, and requests that may be sent again. */
function shaken<Config extends SimulationConfig>(seed: number, config: Config): Config {
  const random = new RandomStream(seed, 'shaken')
  const replicas = config.pools.reduce((sum, pool) => sum + pool.replicas, 0)
  const stragglers = randomStragglers(random, replicas, random.uniform() < 0.6)
  const startUpSeconds = random.uniform() < 0.5 ? random.integer(20) / 1024 : 0
  const outages = config.transfer === undefined && random.uniform() < 0.5 ? randomOutages(random, replicas) : []
  const pools = config.pools.map((pool) => ({ ...pool, startUpSeconds }))
  return { ...config, retries: random.integer(3), stragglers, outages, pools }
}

const commandsOf = (seed: number, { pools }: SimulationConfig) => {
  const random = new RandomStream(seed, 'commands of a scenario')
  return randomCommands(random, pools, random.uniform() < 0.6)
}

const kinds = {
  vLLM: {
    scenario: (seed: number) => shaken(seed, randomScenario(seed)),
    reference: (seed: number, recorder: Recorder) =>
      referenceVllmFleet(shaken(seed, randomScenario(seed)), recorder).fleet,
  },
  SGLang: {
    scenario: (seed: number) => shaken(seed, randomSglang(seed)),
    reference: (seed: number, recorder: Recorder) => referenceSglangFleet(shaken(seed, randomSglang(seed)), recorder),
  },
}

describe.each(Object.entries(kinds))(
  'a fleet of %s replicas that come, drain, die, are slow or away for a while',
  (_, { scenario, reference }) => {
    it(
      'tells the facts and gaps of the naive reference, bit for bit',
      () => {
        const seen = { failed: 0, again: 0, refused: 0, transferred: 0 }
        for (const seed of seeds) {
          const fast = new Recorder()
          const config = scenario(seed)
          const simulation = createSimulation(config)
          simulation.observe(fast)
          runUnder(simulation, commandsOf(seed, config), fast)
          const naive = new Recorder()
          referUnder(reference(seed, naive), commandsOf(seed, config), naive)
          expect(fast.facts, `scenario ${seed}`).toEqual(naive.facts)
          expect(fast.sortedGaps(), `gaps of scenario ${seed}`).toEqual(naive.sortedGaps())
          expect(simulation.stuck?.(), `scenario ${seed}`).toBeUndefined()
          if ((fast.endings['failed'] ?? 0) > 0) seen.failed += 1
          if (fast.facts.some((fact) => fact.endsWith('} false'))) seen.refused += 1
          if (fast.transfers > 0) seen.transferred += 1
          if (fast.routings > (config.transfer === undefined ? 1 : 2) * fast.arrivals) seen.again += 1
        }
        for (const [what, scenarios] of Object.entries(seen))
          expect(scenarios, what).toBeGreaterThanOrEqual(atLeast(0.04))
      },
      timeout,
    )
  },
)
