import { planServing, type ServingQuestion } from '@windtunnel/cost'
import { accelerator } from '@windtunnel/hardware'
import { model } from '@windtunnel/models'
import { describe, expect, test } from 'vitest'

const v5e = accelerator('tpu-v5e', 'book')
const int8 = { weights: 'int8', activations: 'bf16', keyValues: 'int8' } as const

/** Chapter 8: LLaMA 3 70B on v5e with 8192 tokens of context. */
const llama: ServingQuestion = {
  model: model('llama-3-70b'),
  accelerator: v5e,
  contextTokens: 8192,
  promptTokens: 8192,
  outputTokens: 512,
  dtypes: int8,
  communication: 'left-out',
}

const optionOf = (question: ServingQuestion, chips: number) =>
  planServing(question).options.find((option) => option.chips === chips)

describe('how would I serve this on that', () => {
  test('70B in int8 fits 8 chips of v5e and no fewer, with 42 sequences of 8192 tokens', () => {
    const plan = planServing(llama)
    expect(plan.kvBytesPerToken).toBe(163_840)
    expect(plan.kvBytesPerSequence).toBe(163_840 * 8192)
    expect(plan.smallest).toMatchObject({ chips: 8, shape: [2, 4], batchLimitedBy: 'memory' })
    // floor((128e9 - 70.55e9)/1.342e9); 43 with the book's 70e9.
    expect(plan.smallest?.batch).toBe(42)
    expect(plan.rejected.map(({ chips }) => chips)).toEqual([1, 4])
    expect(plan.criticalBatchTokens).toBeCloseTo(120.12, 2)
  })

  test('a full slice below the critical batch steps in about HBM/W, 19 ms (S4); above it arithmetic adds', () => {
    const full = 16e9 / 8.2e11
    const small = optionOf(llama, 8)!
    expect(small.step.seconds / full).toBeGreaterThan(0.97)
    expect(small.step.seconds / full).toBeLessThanOrEqual(1)
    const large = optionOf(llama, 16)!
    expect(large.batch).toBe(138)
    expect(large.step.mathSeconds / large.step.weightSeconds).toBeCloseTo(138 / 120.122, 4)
  })

  test('on 16 chips: 5.48 ms for one sequence and 0.92 s for a prompt of 8192 at 40 %', () => {
    const option = optionOf(llama, 16)
    // 70.55e9/(16 x 8.2e11) + 1.342e9/(16 x 8.2e11); 2 x 70.55e9 x 8192/(16 x 1.97e14 x 0.4).
    expect(option?.floorSeconds).toBeCloseTo(5.4798e-3, 6)
    expect(option?.prefillSeconds).toBeCloseTo(0.91684, 4)
    // 2 axes x 28672 / (197e12/90e9) = 26 ways: all 16 chips.
    expect(option?.prefillSharding).toMatchObject({ tensorWays: 16, sequenceWays: 1 })
    expect(option?.prefillSharding.maxTensorWays).toBeCloseTo(26.198, 3)
  })

  test('prefill servers and cost follow from the step (S9)', () => {
    const { batch, step, prefillSeconds, ...option } = optionOf(llama, 16)!
    expect(option.prefillToGenerate).toBeCloseTo((prefillSeconds * batch) / (step.seconds * 512), 9)
    const usd = (16 * 1.2 * 1e6) / ((batch / step.seconds) * 3600)
    expect(option.usdPerMillionTokens).toBeCloseTo(usd, 9)
    expect(option.usdPerMillionTokensWithPrefill).toBeCloseTo(usd * (1 + option.prefillToGenerate), 9)
  })

  test('405B in int8 under 15 ms a token: 26 chips hold it, 33 read it in time, so 8x8 (chapter 8, question 3)', () => {
    const plan = planServing({ ...llama, model: model('llama-3-405b'), stepLimitSeconds: 0.015 })
    expect(plan.minChips).toEqual({ byMemory: 26, byLatency: 33 })
    expect(plan.smallest).toMatchObject({ chips: 64, shape: [8, 8] })
    expect(plan.rejected.at(-1)).toMatchObject({ chips: 32, reason: 'a step takes 15.55 ms with one sequence' })
    for (const option of plan.options) expect(option.step.seconds).toBeLessThanOrEqual(0.015)
  })

  test('the batch under a limit is the largest: one more sequence would be late or would not fit', () => {
    const limited = { ...llama, stepLimitSeconds: 0.01 }
    for (const option of planServing(limited).options) {
      if (option.batchLimitedBy === 'memory') continue
      const { kvSeconds, weightSeconds, mathSeconds } = option.step
      const grown = (option.batch + 1) / option.batch
      expect(kvSeconds * grown + Math.max(weightSeconds, mathSeconds * grown)).toBeGreaterThan(0.01)
    }
  })

  test('links count unless they are left out, and can only slow a step', () => {
    const overlapped = optionOf({ ...llama, communication: 'overlapped' }, 256)
    const without = optionOf(llama, 256)
    expect(overlapped?.step.linkSeconds).toBeGreaterThan(0)
    expect(overlapped!.floorSeconds).toBeGreaterThanOrEqual(without!.floorSeconds)
  })

  test('a mixture reads only the experts it touches: at batch 1 Mixtral reads 2 of 8', () => {
    const plan = planServing({ ...llama, model: model('mixtral-8x7b'), accelerator: accelerator('h100-sxm', 'book') })
    const one = plan.options.find(({ chips }) => chips === 1)!
    const expertBytes = 32 * 8 * 3 * 4096 * 14_336
    const kvBytes = 2 * 32 * 8 * 128 * 8192
    expect(one.floorSeconds).toBeCloseTo((plan.paramBytes - expertBytes * 0.75 + kvBytes) / 3.4e12, 9)
    // E/k times the dense one: 4 x 990e12/3.4e12/2.
    expect(plan.criticalBatchTokens).toBeCloseTo((4 * 990e12) / 3.4e12 / 2, 6)
  })

  test('a model that fits nothing listed has no option, and every slice says why', () => {
    const plan = planServing({ ...llama, model: model('llama-3-405b'), chipCounts: [4, 8] })
    expect(plan.smallest).toBeUndefined()
    expect(plan.mostProductive).toBeUndefined()
    expect(plan.rejected.map(({ reason }) => reason)).toEqual(Array(2).fill('weights and one sequence do not fit'))
  })

  test('a price overrides that of the accelerator, and without any there is no cost', () => {
    const h100 = { ...llama, accelerator: accelerator('a100-sxm-80gb'), chipCounts: [8] }
    expect(planServing(h100).smallest?.usdPerMillionTokens).toBeUndefined()
    expect(planServing({ ...h100, usdPerHour: 2 }).smallest?.usdPerMillionTokens).toBeGreaterThan(0)
  })

  test('a share of memory above 1 is refused', () => {
    expect(() => planServing({ ...llama, memoryShare: 1.2 })).toThrow(/memoryShare must be above 0 and at most 1/)
  })
})
