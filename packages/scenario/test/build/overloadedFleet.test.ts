import { describe, expect, it } from 'vitest'
import { buildRun } from '../../src/build/buildRun.ts'
import { runBatch } from '../../src/drivers/batch.ts'
import { readScenario } from '../../src/schema/decode.ts'

/** Behaviour 7: four replicas with under 1,000 blocks each, 512 in and 256 out, 2,000 requests/s, 200 requests. */
const overload = (engine: string, kvBlocks: number): string => `version: 1
name: overload
model: llama-3.1-8b
fleet: [{ name: only, hardware: h100, replicas: 4, engine: { name: ${engine}, kvBlocks: ${kvBlocks} } }]
traffic:
  arrivals: { name: constant, requestsPerSecond: 2000 }
  structure: { name: single, input: { name: fixed, tokens: 512 }, output: { name: fixed, tokens: 256 } }
run: { maxRequests: 200 }
`

describe('an overloaded fleet with an undersized cache', () => {
  for (const engine of ['vllm', 'sarathi', 'orca', 'trtllm']) {
    for (const kvBlocks of [999, 100]) {
      it(`of ${engine} replicas with ${kvBlocks} blocks ends, every request once, with all blocks free`, () => {
        const { simulation } = buildRun(readScenario(overload(engine, kvBlocks), 'overload.yaml'))
        runBatch(simulation)
        const view = simulation.view()
        expect(simulation.stuck?.()).toBeUndefined()
        expect(view).toMatchObject({ arrived: 200, completed: 200 })
        expect(view.replicas.map((replica) => replica.usedBlocks)).toEqual([0, 0, 0, 0])
      })
    }
  }
})
