import { describe, expect, it } from 'vitest'
import { buildRun } from '../../src/build/buildRun.ts'
import { parameterFileOf } from '../../src/build/parameters.ts'
import { parseScenarioText } from '../../src/document/parse.ts'
import { decodeScenario } from '../../src/schema/decode.ts'

const scenario = decodeScenario(
  parseScenarioText(
    `version: 1
model: llama-3.1-8b
fleet: [{ hardware: h100 }]
cost: { backend: calibrated, parameters: ours.json }
traffic:
  arrivals: { name: constant, requestsPerSecond: 1 }
  structure: { name: single, input: { name: fixed, tokens: 100 }, output: { name: fixed, tokens: 5 } }
run: { maxRequests: 1 }
`,
    'made up',
  ),
)
const parameters = JSON.stringify({
  windtunnelParameters: 1,
  engines: [{ name: 'vllm-0.15.1', source: 'ours', step: { perStepSeconds: 0.1 }, frontEnd: { requestSeconds: 0.5 } }],
})

describe('fitted parameters of a scenario', () => {
  it('take the place of the registered overheads, in the step and before the engine', () => {
    const { pools } = buildRun(scenario, { parameters })
    const piece = { baseSeconds: 0, slopeSeconds: 0, windowSlopeSeconds: 0, validUntilContextTokens: 0 }
    expect(pools[0]!.cost.decodePiece(1, 100, piece).baseSeconds).toBeGreaterThan(0.1)
    expect(pools[0]!.frontEnd.latencySeconds).toBe(0.5)
  })

  it('are missed by name when their text was not given, with what to do', () => {
    expect(() => buildRun(scenario)).toThrow(/file ours\.json, which cannot be opened here; write the text of the file/)
  })

  it('may stand in the scenario itself, where no file can be opened', () => {
    const cost = { ...scenario.cost, parameters: `\n${parameters}` }
    const inline = { ...scenario, cost } as typeof scenario
    expect(buildRun(inline).pools[0]!.frontEnd.latencySeconds).toBe(0.5)
    expect(parameterFileOf(inline)).toBeUndefined()
    expect(parameterFileOf(scenario)).toBe('ours.json')
  })
})
