import { timeFromSeconds } from '@windtunnel/des'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import { describe, expect, it } from 'vitest'
import { buildRun } from '../../src/build/buildRun.ts'
import { readScenario } from '../../src/schema/decode.ts'

/** Two tenants with ten requests a second each, of one step of 0.1 s each, one at a time: twice what the replica can do. */
const scenario = (rest: string) => `version: 1
model: llama-3.1-8b
cost: { backend: linear, secondsPerStep: 0.1, secondsPerPrefillToken: 0, secondsPerDecodeSequence: 0 }
fleet:
  - { name: only, hardware: h100, engine: { name: vllm, maxSequences: 1, prefixCache: false, asyncScheduling: false, scheduler: fair-share } }
traffic:
  streams:
    - { tenant: 0, arrivals: { name: constant, requestsPerSecond: 10 }, structure: &one { name: single, input: { name: fixed, tokens: 100 }, output: { name: fixed, tokens: 1 } } }
    - { tenant: 1, arrivals: { name: constant, requestsPerSecond: 10 }, structure: *one }
run: { durationSeconds: 100 }
${rest}`

/** Completions of each tenant in the first forty seconds, in which four hundred steps end. */
function served(rest: string): number[] {
  const tenants: number[] = []
  const counts = [0, 0]
  class Counts extends SilentObserver {
    override arrived(request: number, _time: number, _input: number, _output: number, _class: number, tenant: number) {
      tenants[request] = tenant
    }
    override ended(request: number) {
      counts[tenants[request]!]! += 1
    }
  }
  const { simulation } = buildRun(readScenario(scenario(rest), 'x.yaml'))
  simulation.observe(new Counts())
  simulation.runUntil(timeFromSeconds(40), 1e6)
  return counts
}

describe('weights of tenants', () => {
  it('share the service as they say: three of four requests are those of a tenant of three times the weight', () => {
    const [light, heavy] = served('tenantWeights: [1, 3]')
    expect(light! + heavy!).toBeGreaterThan(390)
    expect(Math.abs(heavy! - 3 * light!)).toBeLessThan(8)
  })

  it('are 1 for tenants that have none', () => {
    for (const rest of ['', 'tenantWeights: [1]']) {
      const [first, second] = served(rest)
      expect(Math.abs(first! - second!)).toBeLessThan(3)
    }
  })

  it('are above 0', () => {
    expect(() => readScenario(scenario('tenantWeights: [1, 0]'), 'x.yaml')).toThrow(/tenantWeights\[1\].*above 0/)
  })
})
