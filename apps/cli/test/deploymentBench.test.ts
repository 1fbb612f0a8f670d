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
function simulated(tp: number, preset = 'deployment-bench'): number[] {
  const set = [`fleet[0].layout.tp=${tp}`, `fleet[0].replicas=${CARDS / tp}`].map(readOverride)
  const run = buildRun(readScenario(presetText(preset)!, preset, set))
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

const bench = { cards: CARDS, sessions: 4, steps: 8, context: 131064, deadline: 0.13 }
const calculated = (tp: number, more: object = {}) =>
  runCalculator('deploymentPlan', { tp, ...bench, ...more }).results['doneBySession'] as readonly number[]

function expectSame(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length)
  found.forEach((seconds, session) => {
    expect(Math.abs(seconds - expected[session]!)).toBeLessThan(1e-9)
  })
}

describe('the deployment bench, as a calculation and as a scenario', () => {
  it.each([2, 4, 8])('has its four sessions done at the same times with TP%i', (tp) => {
    expectSame(simulated(tp), calculated(tp))
  })

  it.each([2, 4, 8])('has them done at the same times with TP%i when a card fails', (tp) => {
    expectSame(simulated(tp, 'deployment-bench-failure'), calculated(tp, { failure: { at: 0.02, stall: 0.04 } }))
  })

  it('serves one session after another on eight cards of one instance, 41.2 ms each', () => {
    // 98.32 GB over eight cards of 3.35 TB/s, and 128 reductions of 11.5 us: 5.147 ms a step.
    simulated(8).forEach((seconds, session) => {
      expect(seconds).toBeCloseTo((session + 1) * 8 * 5.147e-3, 4)
    })
  })

  it('starts the first session over at 60 ms when a card of the only instance fails at 20 ms', () => {
    simulated(8, 'deployment-bench-failure').forEach((seconds, session) => {
      expect(seconds).toBeCloseTo(0.06 + (session + 1) * 8 * 5.147e-3, 4)
    })
  })
})
