import { planTraining, type TrainingQuestion } from '@windtunnel/cost'
import { accelerator } from '@windtunnel/hardware'
import { model } from '@windtunnel/models'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const secondsPerDay = 86_400

/** Chapter 6: LLaMA 3 70B on a v5p pod at 4M tokens. */
const llama: TrainingQuestion = {
  model: model('llama-3-70b'),
  accelerator: accelerator('tpu-v5p', 'book'),
  chips: 8960,
  batchTokens: 4_194_304,
  tokensPerSequence: 4096,
  runTokens: 15e12,
}

const scheme = (question: TrainingQuestion, name: 'fsdp' | 'tensor' | 'mixed') =>
  planTraining(question).schemes.find((one) => one.scheme === name)

describe('how would I train this on that', () => {
  test('70B on a v5p pod: FSDP alone is comms-bound, a mix is compute-bound, as chapter 6 finds', () => {
    const plan = planTraining(llama)
    expect(scheme(llama, 'fsdp')).toMatchObject({ threshold: 850, verdict: 'comms-bound' })
    expect(scheme(llama, 'tensor')?.threshold).toBeCloseTo((3 * 28_672) / 2550, 9)
    expect(scheme(llama, 'mixed')?.threshold).toBeCloseTo(113.3946, 3)
    expect(plan.batch.tokensPerChip).toBeCloseTo(468.114, 3)
    expect(plan.verdict).toBe('compute-bound')
    // X_opt is 1618; 2240 x 4 is the nearest split into divisors of 8960 whose links keep up.
    expect(plan.best).toMatchObject({ fsdpShards: 2240, tensorShards: 4, fsdpAxes: 2, tensorAxes: 1 })
  })

  test('the run takes about 44 days at 40 %, and costs what its chip hours cost', () => {
    const { time } = planTraining(llama)
    // 6 x 70.55e9 x 15e12 / (8960 x 4.59e14 x 0.4).
    expect(time.runSeconds! / secondsPerDay).toBeCloseTo(44.675, 2)
    expect(time.steps).toBe(3_576_279)
    expect(time.usd! / time.chipHours!).toBeCloseTo(4.2, 9)
  })

  test('memory: 10 bytes a parameter and two saves a layer, 1.3 GB a chip of the pod', () => {
    const { memory } = planTraining(llama)
    expect(memory.checkpointBytes).toBe(2 * 2 * 80 * 4_194_304 * 8192)
    expect(memory.bytesPerChip! / 1e9).toBeCloseTo(1.306, 3)
    expect(memory).toMatchObject({ minChips: 122, fits: true, dataParallelFits: false })
  })

  test('the edition of February 2025 asks four times as many tokens of a mix', () => {
    const mixed = scheme({ ...llama, overlap: 'serial' }, 'mixed')
    expect(mixed).toMatchObject({ verdict: 'compute-bound' })
    expect(mixed?.threshold).toBeCloseTo(453.578, 3)
  })

  test('a slice too small for weights, optimizer and checkpoints is memory-bound, and says how many would do', () => {
    const plan = planTraining({ ...llama, chips: 64 })
    expect(plan.verdict).toBe('memory-bound')
    expect(plan.reason).toContain('122 chips')
  })

  test('four pods: gradients over the network are hidden, and a mix is compute-bound by 3 % (chapter 6, question 1)', () => {
    const pods = { ...llama, slices: 4 }
    const plan = planTraining(pods)
    expect(plan.acrossSlices).toMatchObject({ tokensPerSlice: 1_048_576, verdict: 'compute-bound' })
    expect(plan.acrossSlices?.minTokensPerSlice).toBeCloseTo(73_440, 6)
    expect(scheme(pods, 'mixed')).toMatchObject({ verdict: 'compute-bound' })
    expect(scheme({ ...pods, overlap: 'serial' }, 'mixed')).toMatchObject({ verdict: 'comms-bound' })
    expect(plan.chips).toBe(35_840)
  })

  test('communication that takes longer than arithmetic lowers the utilisation to their quotient', () => {
    const plan = planTraining({ ...llama, batchTokens: 262_144 })
    expect(plan.verdict).toBe('comms-bound')
    expect(plan.time.utilisation).toBe(Math.min(0.4, plan.best.mathOverComms!))
    expect(plan.best.mathOverComms).toBeLessThan(1)
  })

  test('without sequence sharding no more shards than sequences (T16)', () => {
    const plan = planTraining({ ...llama, chips: 4096, sequenceSharding: false })
    for (const layout of [plan.best, ...plan.alternatives]) expect(layout.fsdpShards).toBeLessThanOrEqual(1024)
  })

  test('2 of 8 experts quadruple the tokens that FSDP needs (G18)', () => {
    const moe = { ...llama, model: model('mixtral-8x7b') }
    expect(scheme(moe, 'fsdp')?.threshold).toBeCloseTo(4 * 850, 6)
  })

  test('H100s: FSDP across nodes needs C/W_node tokens, tensors stay in the node (G17, G20)', () => {
    const gpus = { ...llama, accelerator: accelerator('h100-sxm', 'book'), chips: 1024 }
    expect(scheme(gpus, 'fsdp')?.threshold).toBeCloseTo(990e12 / 400e9, 6)
    expect(scheme(gpus, 'tensor')?.threshold).toBeCloseTo((28_672 * 450e9) / 990e12, 6)
    const plan = planTraining(gpus)
    for (const layout of [plan.best, ...plan.alternatives]) expect(layout.tensorShards).toBeLessThanOrEqual(8)
  })

  test('slices of GPUs are refused with what to do', () => {
    const gpus = { ...llama, accelerator: accelerator('h100-sxm'), slices: 2 }
    expect(() => planTraining(gpus)).toThrow(/slices must be 1 on accelerators behind switches/)
  })

  test('more tokens a step never lower the utilisation reached', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 24 }), fc.constantFrom(256, 1024, 4096), (exponent, chips) => {
        const at = (batchTokens: number) => planTraining({ ...llama, chips, batchTokens }).time.utilisation
        expect(at(2 ** (exponent + 1))).toBeGreaterThanOrEqual(at(2 ** exponent) * (1 - 1e-12))
      }),
      { numRuns: 20 },
    )
  })
})
