import { describe, expect, it } from 'vitest'
import { bindRouter, createSimulation, routers } from '../../src/index.ts'
import { randomScenario, type TestConfig } from '../reference/randomScenario.ts'
import { randomSglang, type SglangTestConfig } from '../reference/randomSglang.ts'
import { Recorder } from '../reference/recorder.ts'
import { referenceSglangFleet, referenceVllmFleet } from '../reference/referenceFleets.ts'
import { request, router, viewOf } from './fakeView.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

describe('stale signals', () => {
  it('are read anew when the last reading is as old as they may be', () => {
    const choose = router('least-loaded', { stalenessSeconds: 1 })
    const loads = [0, 1]
    const at = (nowSeconds: number, version = 0) => choose(request(), viewOf({ loads, nowSeconds, version }))
    expect(at(10)).toBe(0)
    loads[0] = 5
    expect(at(10.5)).toBe(0)
    expect(at(10.9999)).toBe(0)
    expect(at(11)).toBe(1)
    loads[0] = 0
    expect(at(11.5)).toBe(1)
    expect(at(11.5, 1)).toBe(0)
  })

  it('herd: with signals of the last second all requests of that second go to one replica', () => {
    const fresh = router('least-loaded')
    const stale = router('least-loaded', { stalenessSeconds: 1 })
    for (const [choose, expected] of [
      [fresh, [3, 3, 2]],
      [stale, [8, 0, 0]],
    ] as const) {
      const loads = [0, 0, 0]
      for (let i = 0; i < 8; i++) {
        const chosen = choose(request(), viewOf({ loads, nowSeconds: i / 100 }))
        loads[chosen] = loads[chosen]! + 1
      }
      expect(loads).toEqual(expected)
    }
  })

  it('and late cache events give the facts of the naive reference', { timeout: 120_000 }, () => {
    for (const [name, one] of routers) {
      const values = one.options === undefined ? {} : { stalenessSeconds: 0.01 }
      const bound = bindRouter(one, name === 'kv-aware' ? { ...values, eventDelaySeconds: 0.004 } : values)
      const scenario = (seed: number): TestConfig => {
        const config = randomScenario(seed)
        return { ...config, router: bound, pools: config.pools.map((pool) => ({ ...pool, replicas: 3 + (seed % 3) })) }
      }
      for (let seed = 1; seed <= 60; seed++) {
        const fast = new Recorder()
        const simulation = createSimulation(scenario(seed))
        simulation.observe(fast)
        simulation.runUntil(FOREVER, 200_000)
        const reference = new Recorder()
        referenceVllmFleet(scenario(seed), reference).fleet.run()
        expect(fast.facts, `${name}, scenario ${seed}`).toEqual(reference.facts)
      }
    }
  })

  it('late events of radix trees, too', { timeout: 120_000 }, () => {
    const router = bindRouter(routers.get('kv-aware')!, { eventDelaySeconds: 0.004 })
    const scenario = (seed: number): SglangTestConfig => {
      const config = randomSglang(seed)
      return { ...config, router, pools: config.pools.map((pool) => ({ ...pool, replicas: 3 + (seed % 3) })) }
    }
    let late = 0
    for (let seed = 1; seed <= 150; seed++) {
      const fast = new Recorder()
      const simulation = createSimulation(scenario(seed))
      simulation.observe(fast)
      simulation.runUntil(FOREVER, 200_000)
      const reference = new Recorder()
      referenceSglangFleet(scenario(seed), reference).run()
      expect(fast.facts, `scenario ${seed}`).toEqual(reference.facts)
      const prompt = new Recorder()
      referenceSglangFleet({ ...scenario(seed), router: routers.get('kv-aware')! }, prompt).run()
      if (prompt.facts.length !== fast.facts.length || prompt.facts.some((fact, at) => fact !== fast.facts[at]))
        late += 1
    }
    // The delay changes what happens in a good part of them.
    expect(late).toBeGreaterThan(15)
  })
})
