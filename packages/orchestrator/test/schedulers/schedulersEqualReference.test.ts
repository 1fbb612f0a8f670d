import { describe, expect, it } from 'vitest'
import { createSimulation, schedulers } from '../../src/index.ts'
import { randomScenario, type TestConfig } from '../reference/randomScenario.ts'
import { Recorder } from '../reference/recorder.ts'
import { referenceVllmFleet } from '../reference/referenceFleets.ts'
import { seedsFrom } from '../reference/seeds.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }
const { seeds, timeout } = seedsFrom(100)

/** A random scenario with tenants and one scheduler everywhere; the same each time. */
function scenario(seed: number, name: string): TestConfig {
  const config = randomScenario(seed)
  const { source } = config
  let taken = 0
  return {
    ...config,
    pools: config.pools.map((pool) => ({ ...pool, scheduler: schedulers.get(name)! })),
    source: {
      tree: source.tree,
      peek: (into) => source.peek(into),
      take: (into) => {
        source.take(into)
        into.tenant = (taken++ * 7) % 3
      },
      ended: (tag, ending, time) => source.ended(tag, ending, time),
    },
  }
}

describe.each([...schedulers.keys()])('under the scheduler %s', (name) => {
  it(
    'the fast engine tells the facts of the naive reference, bit for bit',
    () => {
      let waits = 0
      for (const seed of seeds) {
        const fast = new Recorder()
        const simulation = createSimulation(scenario(seed, name))
        simulation.observe(fast)
        simulation.runUntil(FOREVER, 400_000)
        const reference = new Recorder()
        referenceVllmFleet(scenario(seed, name), reference).fleet.run()
        expect(fast.facts, `scenario ${seed}`).toEqual(reference.facts)
        expect(fast.sortedGaps(), `gaps of scenario ${seed}`).toEqual(reference.sortedGaps())
        if (fast.preemptions > 0) waits += 1
      }
      expect(waits).toBeGreaterThan(0)
    },
    timeout,
  )
})
