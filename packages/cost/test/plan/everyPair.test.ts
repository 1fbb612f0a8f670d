import { planServing, planTraining } from '@windtunnel/cost'
import { accelerator, acceleratorNames } from '@windtunnel/hardware'
import { model, modelNames } from '@windtunnel/models'
import { describe, expect, test } from 'vitest'

/** Whether a source gives the peak that the default format, bf16, needs. */
const multipliesHalf = (name: string): boolean => {
  const { bf16, fp16 } = accelerator(name).flopsPerSecond
  return (bf16 ?? fp16) !== undefined
}

describe('every registered model on every registered accelerator', () => {
  test.each(acceleratorNames.filter(multipliesHalf))('%s', (name) => {
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

  test.each(acceleratorNames.filter((name) => !multipliesHalf(name)))(
    '%s has no bf16 peak, and the plan says so',
    (name) => {
      const tokens = { contextTokens: 4096, promptTokens: 3072, outputTokens: 1024 }
      const plan = () => planServing({ model: model('llama-3.1-8b'), accelerator: accelerator(name), ...tokens })
      expect(plan).toThrow(/flopsPerSecond must be a bf16 or fp16 peak/)
    },
  )
})
