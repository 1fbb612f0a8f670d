import { runCalculator } from '@windtunnel/calculators'
import { EachRequest, e2eOf, RequestLedger } from '@windtunnel/metrics'
import { buildRun } from '@windtunnel/scenario/build/buildRun'
import { runBatch } from '@windtunnel/scenario/drivers/batch'
import { readOverride } from '@windtunnel/scenario/overrides/override'
import { presetText } from '@windtunnel/scenario/presets/index'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import { describe, expect, it } from 'vitest'

const CARDS = 8

/** E2E of the sessions in the order of their arrival, as the simulator plays the preset. Seconds. */
function simulated(tp: number): number[] {
  const set = [`fleet[0].layout.tp=${tp}`, `fleet[0].replicas=${CARDS / tp}`].map(readOverride)
  const run = buildRun(readScenario(presetText('deployment-bench')!, 'deployment-bench', set))
  const done: number[] = []
  run.simulation.observe(
    new RequestLedger([
      new EachRequest((timeline) => {
        done[timeline.request] = e2eOf(timeline)!
      }),
    ]),
  )
  runBatch(run.simulation)
  return done
}

const calculated = (tp: number) =>
  runCalculator('deploymentPlan', { tp, cards: CARDS, sessions: 4, steps: 8, context: 131064, deadline: 0.13 }).results

describe('the deployment bench, as a calculation and as a scenario', () => {
  it.each([2, 4, 8])('has its four sessions done at the same times with TP%i', (tp) => {
    const expected = calculated(tp)['doneBySession'] as readonly number[]
    const found = simulated(tp)
    expect(found).toHaveLength(4)
    found.forEach((seconds, session) => {
      expect(Math.abs(seconds - expected[session]!)).toBeLessThan(1e-9)
    })
  })

  it('serves one session after another on eight cards of one instance, 41.2 ms each', () => {
    // 98.32 GB over eight cards of 3.35 TB/s, and 128 reductions of 11.5 us: 5.147 ms a step.
    simulated(8).forEach((seconds, session) => {
      expect(seconds).toBeCloseTo((session + 1) * 8 * 5.147e-3, 4)
    })
  })
})
