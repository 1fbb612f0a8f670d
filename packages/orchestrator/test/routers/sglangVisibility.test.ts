import { describe, expect, it } from 'vitest'
import { createSimulation, routers } from '../../src/index.ts'
import { randomSglang, type SglangTestConfig } from '../reference/randomSglang.ts'
import { Recorder } from '../reference/recorder.ts'
import { referenceSglangFleet } from '../reference/referenceFleets.ts'
import { seedsFrom } from '../reference/seeds.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

const { seeds, timeout } = seedsFrom(150)

/** A random scenario with at least three replicas a pool and a router that looks at what their trees show. */
function scenario(seed: number): SglangTestConfig {
  const config = randomSglang(seed)
  const pools = config.pools.map((pool) => ({ ...pool, replicas: 3 + (seed % 3) }))
  return { ...config, pools, router: routers.get('kv-aware')! }
}

describe('what routers see of radix trees', () => {
  it(
    'is what the naive reference shows, page by page: nothing before the step that made it has ended',
    () => {
      for (const seed of seeds) {
        const fast = new Recorder()
        const simulation = createSimulation(scenario(seed))
        simulation.observe(fast)
        simulation.runUntil(FOREVER, 200_000)
        const reference = new Recorder()
        referenceSglangFleet(scenario(seed), reference).run()
        expect(fast.facts, `scenario ${seed}`).toEqual(reference.facts)
      }
    },
    timeout,
  )
})
