import { describe, expect, it } from 'vitest'
import { createSimulation, routers } from '../../src/index.ts'
import { randomScenario, type TestConfig } from '../reference/randomScenario.ts'
import { Recorder } from '../reference/recorder.ts'
import { referenceVllmFleet } from '../reference/referenceFleets.ts'
import { seedsFrom } from '../reference/seeds.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }
const { seeds, timeout, atLeast } = seedsFrom(400)

/** A random scenario with prefix caches, at least three replicas a pool and a router that looks at what they show. */
function scenario(seed: number): TestConfig {
  const config = randomScenario(seed)
  const pools = config.pools.map((pool) => ({ ...pool, replicas: 3 + (seed % 3) }))
  return { ...config, pools, router: routers.get('kv-aware')! }
}

describe('what routers see of prefix caches', () => {
  it(
    'is what the naive reference shows, block by block: nothing before the step that made it has ended',
    () => {
      let hits = 0
      for (const seed of seeds) {
        const fast = new Recorder()
        const simulation = createSimulation(scenario(seed))
        simulation.observe(fast)
        simulation.runUntil(FOREVER, 200_000)
        const reference = new Recorder()
        referenceVllmFleet(scenario(seed), reference).fleet.run()
        expect(fast.facts, `scenario ${seed}`).toEqual(reference.facts)
        if (fast.hits > 0) hits += 1
      }
      expect(hits).toBeGreaterThanOrEqual(atLeast(0.1))
    },
    timeout,
  )
})
