import { planServing, planTraining } from '@windtunnel/cost'
import { accelerator, acceleratorNames } from '@windtunnel/hardware'
import { model, modelNames } from '@windtunnel/models'
import { describe, expect, test } from 'vitest'

describe('every registered model on every registered accelerator', () => {
  test.each(acceleratorNames)('%s', (name) => {
    const on = accelerator(name)
    for (const modelName of modelNames) {
      const of = model(modelName)
      const tokens = { contextTokens: 4096, promptTokens: 3072, outputTokens: 1024 }
      const serving = planServing({ model: of, accelerator: on, ...tokens, stepLimitSeconds: 0.05 })
      expect(serving.options.length + serving.rejected.length, modelName).toBeGreaterThan(0)
      for (const option of serving.options) {
        expect(option.batch, modelName).toBeGreaterThanOrEqual(1)
        expect(option.step.seconds, modelName).toBeLessThanOrEqual(0.05)
        expect(option.step.seconds, modelName).toBeGreaterThanOrEqual(option.floorSeconds)
      }
      const batch = { batchTokens: 2 ** 22, tokensPerSequence: 4096 }
      const chips = serving.network.kind === 'torus' ? 64 : serving.network.gpusPerNode
      const training = planTraining({ model: of, accelerator: on, chips, ...batch })
      expect(training.time.stepSeconds, modelName).toBeGreaterThan(0)
      expect(training.best.fsdpShards * training.best.tensorShards, modelName).toBe(chips)
    }
  })

  test('ascend-950 has no published 16-bit peak, and the plan says so; in fp8, which it multiplies, nothing is assumed', () => {
    const tokens = { contextTokens: 4096, promptTokens: 3072, outputTokens: 1024 }
    const plan = (weights: 'bf16' | 'fp8' | 'int8') =>
      planServing({
        model: model('llama-3.1-8b'),
        accelerator: accelerator('ascend-950'),
        ...tokens,
        dtypes: { weights },
      })
    const half = 'no published 16-bit peak for ascend-950: half of its fp8 peak'
    expect(plan('bf16').assumptions).toContain(half)
    expect(plan('bf16').fasterFormats).toEqual([
      { dtype: 'fp8', times: 2 },
      { dtype: 'fp4', times: 4 },
    ])
    expect(plan('fp8').assumptions).not.toContain(half)
    expect(plan('fp8').fasterFormats).toEqual([{ dtype: 'fp4', times: 2 }])
    expect(plan('int8').assumptions).toEqual(
      expect.arrayContaining(['ascend-950 does not multiply in int8: at its 16-bit peak', half]),
    )
  })

  test.each(acceleratorNames)(
    '%s is planned in every format, and never in one that it lacks without saying so',
    (name) => {
      const on = accelerator(name)
      const tokens = { contextTokens: 4096, promptTokens: 3072, outputTokens: 1024 }
      for (const weights of ['bf16', 'fp16', 'fp8', 'int8', 'fp4'] as const) {
        const plan = planServing({ model: model('llama-3.1-8b'), accelerator: on, ...tokens, dtypes: { weights } })
        const lacking = !weights.endsWith('16') && on.flopsPerSecond[weights] === undefined
        expect(
          plan.assumptions.some((one) => one.includes('does not multiply')),
          weights,
        ).toBe(lacking)
        for (const { dtype } of plan.fasterFormats) expect(on.flopsPerSecond).toHaveProperty(dtype)
      }
    },
  )
})
