import { describe, expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { randomScenario } from '../reference/randomScenario.ts'
import { Recorder } from '../reference/recorder.ts'
import { referenceVllmFleet } from '../reference/referenceFleets.ts'
import { seedsFrom } from '../reference/seeds.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }
const { seeds, timeout, atLeast } = seedsFrom(300)

describe('rule 2, running requests first, in the order of the list', () => {
  it(
    'serving decodes before prompts in progress leaves nobody out: vLLM, which serves all in order, does the same',
    () => {
      const seen = { compared: 0, chunks: 0, preemptions: 0, swaps: 0, thresholds: 0 }
      for (const seed of seeds) {
        const config = randomScenario(seed)
        if (config.pools.some(({ role, scheduler }) => role !== 'both' || scheduler.victim !== 'lastAdmitted')) continue
        const fast = new Recorder()
        const simulation = createSimulation(config)
        simulation.observe(fast)
        simulation.runUntil(FOREVER, 200_000)
        const inOrder = new Recorder()
        referenceVllmFleet(randomScenario(seed), inOrder, true).fleet.run()
        expect(fast.facts, `scenario ${seed}`).toEqual(inOrder.facts)
        expect(fast.sortedGaps(), `gaps of scenario ${seed}`).toEqual(inOrder.sortedGaps())
        seen.compared += 1
        if (fast.chunks > (fast.endings['completed'] ?? 0)) seen.chunks += 1
        if (fast.preemptions > 0) seen.preemptions += 1
        if (fast.swaps > 0) seen.swaps += 1
        if (config.pools.some(({ options }) => options.longPrefillThreshold > 0)) seen.thresholds += 1
      }
      for (const [what, scenarios] of Object.entries(seen)) expect(scenarios, what).toBeGreaterThan(atLeast(0.02))
    },
    timeout,
  )
})
