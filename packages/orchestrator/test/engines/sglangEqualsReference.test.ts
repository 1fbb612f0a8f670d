import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { randomSglang } from '../reference/randomSglang.ts'
import { Recorder } from '../reference/recorder.ts'
import { referenceSglangFleet } from '../reference/referenceFleets.ts'
import { seedsFrom } from '../reference/seeds.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

function runFast(seed: number): Recorder {
  const recorder = new Recorder()
  const config = randomSglang(seed)
  const simulation = createSimulation(config)
  simulation.observe(recorder)
  simulation.runUntil(FOREVER, 200_000)
  expect(simulation.stuck?.(), `scenario ${seed}`).toBeUndefined()
  for (const engine of config.pools.flatMap((pool) => pool.engines))
    expect(engine.usedBlocks, `pages held at the end of scenario ${seed}`).toBe(0)
  return recorder
}

function runReference(seed: number): Recorder {
  const recorder = new Recorder()
  referenceSglangFleet(randomSglang(seed), recorder).run()
  return recorder
}

const { seeds, timeout, atLeast } = seedsFrom(400)

describe('the fast SGLang engine', () => {
  it(
    'tells the same facts and the same gaps as the naive reference, bit for bit',
    () => {
      const seen = { retracts: 0, transfers: 0, hits: 0, chunks: 0, cancelled: 0 }
      for (const seed of seeds) {
        const fast = runFast(seed)
        const reference = runReference(seed)
        expect(fast.facts, `scenario ${seed}`).toEqual(reference.facts)
        expect(fast.sortedGaps(), `gaps of scenario ${seed}`).toEqual(reference.sortedGaps())
        if (fast.preemptions > 0) seen.retracts += 1
        if (fast.transfers > 0) seen.transfers += 1
        if (fast.hits > 0) seen.hits += 1
        if (fast.facts.some((fact) => /^chunk \d+ \S+ \d+ \d+ [1-9]/.test(fact))) seen.chunks += 1
        if ((fast.endings['cancelled'] ?? 0) > 0) seen.cancelled += 1
      }
      // The comparison means something only if these happen in a good part of the scenarios.
      for (const [what, scenarios] of Object.entries(seen))
        expect(scenarios, what).toBeGreaterThanOrEqual(atLeast(0.08))
    },
    timeout,
  )

  it('gives the same facts however a run is split', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { maxLength: 20 }),
        (seed, cuts) => {
          const recorder = new Recorder()
          const simulation = createSimulation(randomSglang(seed))
          simulation.observe(recorder)
          for (const cut of cuts.sort((a, b) => a - b)) {
            simulation.runUntil({ seconds: Math.floor(cut), ticks: Math.floor((cut % 1) * 2 ** 44) }, 1000)
            simulation.view()
          }
          simulation.runUntil(FOREVER, 200_000)
          const whole = runFast(seed)
          expect(recorder.facts).toEqual(whole.facts)
          expect(recorder.sortedGaps()).toEqual(whole.sortedGaps())
        },
      ),
      { numRuns: 60 },
    )
  })
})
