import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSimulation } from '../src/index.ts'
import { randomScenario } from './reference/randomScenario.ts'
import { Recorder } from './reference/recorder.ts'
import { referenceVllmFleet } from './reference/referenceFleets.ts'
import { seedsFrom } from './reference/seeds.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

function runFast(seed: number): Recorder {
  const recorder = new Recorder()
  const simulation = createSimulation(randomScenario(seed))
  simulation.observe(recorder)
  simulation.runUntil(FOREVER, 200_000)
  expect(simulation.stuck?.(), `scenario ${seed}`).toBeUndefined()
  return recorder
}

function runReference(seed: number): Recorder {
  const recorder = new Recorder()
  const { fleet, loads } = referenceVllmFleet(randomScenario(seed), recorder)
  fleet.run()
  recorder.loads = loads()
  return recorder
}

const { seeds, timeout, atLeast } = seedsFrom(400)

describe('the fast engine', () => {
  it(
    'tells the same facts and the same gaps as the naive reference, bit for bit',
    () => {
      const seen = {
        preemptions: 0,
        transfers: 0,
        hits: 0,
        chunks: 0,
        cancelled: 0,
        overlapped: 0,
        lateFirst: 0,
        swaps: 0,
        loads: 0,
      }
      for (const seed of seeds) {
        const fast = runFast(seed)
        const reference = runReference(seed)
        expect(fast.facts, `scenario ${seed}`).toEqual(reference.facts)
        expect(fast.sortedGaps(), `gaps of scenario ${seed}`).toEqual(reference.sortedGaps())
        if (fast.preemptions > 0) seen.preemptions += 1
        if (fast.transfers > 0) seen.transfers += 1
        if (reference.loads > 0) seen.loads += 1
        if (fast.swaps > 0) seen.swaps += 1
        if (fast.hits > 0) seen.hits += 1
        if (fast.chunks > (fast.endings['completed'] ?? 0)) seen.chunks += 1
        const { transfer } = randomScenario(seed)
        if (fast.transfers > 0 && transfer?.overlap === 'layers') seen.overlapped += 1
        if (fast.transfers > 0 && transfer?.firstToken === 'generate') seen.lateFirst += 1
        if ((fast.endings['cancelled'] ?? 0) > 0) seen.cancelled += 1
      }
      // The comparison means something only if these happen in a good part of the scenarios.
      for (const [what, scenarios] of Object.entries(seen)) expect(scenarios, what).toBeGreaterThanOrEqual(atLeast(0.1))
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
          const simulation = createSimulation(randomScenario(seed))
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
