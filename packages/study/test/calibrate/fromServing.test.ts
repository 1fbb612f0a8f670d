import { layoutOf } from '@windtunnel/cost/step/layout'
import { describe, expect, it } from 'vitest'
import { calibrateServing } from '../../src/calibrate/fromServing.ts'
import type { MeasuredRun } from '../../src/validate/measured/measuredRun.ts'
import { predictRun } from '../../src/validate/predict/predictRun.ts'

const run = (id: string, requests: number): MeasuredRun => ({
  id,
  level: 'serving',
  family: 'made up',
  workload: 'chat',
  load: '4 requests/s',
  deployment: {
    model: 'llama-3.1-8b',
    accelerator: 'h100',
    precision: 'bf16',
    pool: { replicas: 1, layout: layoutOf() },
    engine: { name: 'vllm', version: '0.15.1' },
    clock: 'client',
  },
  traffic: {
    kind: 'replay',
    requests: Array.from({ length: requests }, (_, i) => ({
      arrivalSeconds: i / 4,
      inputTokens: 200 + 100 * (i % 5),
      outputTokens: 40,
    })),
  },
  measured: {},
  interToken: 'perRequest',
  coldRequests: 0,
  assumptions: [],
})

describe('a fit to serving runs', () => {
  it('finds the overheads with which made-up runs were simulated', () => {
    const truth = { step: { perStepSeconds: 1.5e-3 }, frontEnd: { requestSeconds: 8e-3 } }
    const runs = [run('a', 12), run('b', 20)].map((one) => ({ ...one, measured: predictRun(one, truth).figures }))
    const { fits, file } = calibrateServing({ runs, traces: [], notBuilt: [] }, 'nowhere')
    const fit = fits[0]!
    expect(fit.after.e2e!.worstApe).toBeLessThan(0.01)
    expect(fit.after.ttft!.worstApe).toBeLessThan(0.05)
    expect(fit.before.e2e!.worstApe).toBeGreaterThan(0.1)
    expect(file.engines[0]!.name).toBe('vllm-0.15.1')
    expect(file.engines[0]!.step!.perStepSeconds).toBeCloseTo(1.5e-3, 3)
  })
})
