import { describe, expect, it } from 'vitest'
import { createSimulation, routers } from '../../src/index.ts'
import { randomSglang, type SglangTestConfig } from '../reference/randomSglang.ts'
import { Recorder } from '../reference/recorder.ts'
import { ReferenceSglangFleet } from '../reference/referenceSglangFleet.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

/** A random scenario with at least three replicas a pool and a router that looks at what their trees show. */
function scenario(seed: number): SglangTestConfig {
  const config = randomSglang(seed)
  const pools = config.pools.map((pool) => ({ ...pool, replicas: 3 + (seed % 3) }))
  return { ...config, pools, router: routers.get('kv-aware')! }
}

describe('what routers see of radix trees', () => {
  it('is what the naive reference shows, page by page: nothing before the step that made it has ended', () => {
    for (let seed = 1; seed <= Number(process.env['WINDTUNNEL_SEEDS'] ?? 150); seed++) {
      const fast = new Recorder()
      const simulation = createSimulation(scenario(seed))
      simulation.observe(fast)
      simulation.runUntil(FOREVER, 200_000)
      const reference = new Recorder()
      new ReferenceSglangFleet(scenario(seed), reference).run()
      expect(fast.facts, `scenario ${seed}`).toEqual(reference.facts)
    }
  })
})
