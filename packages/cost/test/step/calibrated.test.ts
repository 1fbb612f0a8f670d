import { accelerator, acceleratorNames } from '@windtunnel/hardware'
import { model, modelNames } from '@windtunnel/models'
import { describe, expect, it } from 'vitest'
import { kernelParameters } from '../../src/calibration/parameters/index.ts'
import { paddedTokens } from '../../src/step/calibrated/graphSizes.ts'
import { createStepCost, type StepCostOptions } from '../../src/step/createStepCost.ts'
import { engineOverheadsFor } from '../../src/step/engineOverheads/index.ts'
import type { DecodePiece } from '../../src/step/stepCost.ts'
import { decodeBatch, prefillBatch } from './tinyModel.ts'

const llama8b = (options: Partial<StepCostOptions> = {}) =>
  createStepCost({ architecture: model('llama-3.1-8b'), accelerator: accelerator('h100-sxm'), ...options })

const piece = (): DecodePiece => ({
  baseSeconds: 0,
  slopeSeconds: 0,
  windowSlopeSeconds: 0,
  validUntilContextTokens: 0,
})

describe('captured graph sizes', () => {
  it('are 1, 2, 4, steps of 8 to 256 and of 16 to 512, cut at the largest', () => {
    expect([1, 2, 3, 5, 8, 9, 17, 250, 257, 512].map((tokens) => paddedTokens(tokens, 512))).toEqual([
      1, 2, 4, 8, 8, 16, 24, 256, 272, 512,
    ])
    expect(paddedTokens(513, 512)).toBe(513)
    expect(paddedTokens(97, 100)).toBe(100)
  })
})

describe('a calibrated decode step', () => {
  it('is padded: 9 sequences cost as much as 16 for the same context, but for what is done per sequence', () => {
    const step = llama8b({ filteredSampling: false })
    const weights = (sequences: number) => step.breakdown(decodeBatch(sequences, 10_000)).collectives
    expect(weights(9)).toBe(weights(16))
    const seconds = (sequences: number) => step.seconds(decodeBatch(sequences, 10_000))
    expect(seconds(16) - seconds(9)).toBeLessThan(0.01 * seconds(9))
    expect(seconds(17) - seconds(16)).toBeGreaterThan(seconds(16) - seconds(9))
  })

  it('reads KV at the fitted bandwidth and launches each layer', () => {
    const step = llama8b()
    const figures = kernelParameters.get('h100-sxm')!.decodeAttention.bf16!
    const found = step.decodePiece(8, 1e6, piece())
    // 32 layers of 8 KV heads of 128, keys and values in 2 bytes.
    const slope = (32 * 2 * 8 * 128 * 2) / 3.35e12 / figures.memoryEfficiency
    expect(found.slopeSeconds / slope).toBeCloseTo(1, 9)
  })

  it('steps up where the KV of one layer outgrows the L2 cache, and says where', () => {
    const step = llama8b()
    // A layer reads 4,096 B a token and 4 x 4,096 B a sequence: 50e6 = 8 x 16,384 + 12,175 x 4,096 + a rest.
    const below = step.decodePiece(8, 12_000, piece())
    expect(below.validUntilContextTokens).toBe(12_175)
    const beyond = step.decodePiece(8, 12_176, piece())
    expect(beyond.validUntilContextTokens).toBe(Number.POSITIVE_INFINITY)
    const cold = kernelParameters.get('h100-sxm')!.decodeAttention.bf16!.coldSeconds
    expect(beyond.baseSeconds - below.baseSeconds).toBeCloseTo(32 * cold, 12)
    expect(step.seconds(decodeBatch(8, 12_176)) - step.seconds(decodeBatch(8, 12_175))).toBeCloseTo(
      32 * cold + below.slopeSeconds,
      12,
    )
  })

  it('lies above the roofline and below three times it for a model that fills the accelerator', () => {
    const options = { architecture: model('llama-3.1-70b'), accelerator: accelerator('h100-sxm'), layout: { tp: 4 } }
    const batch = decodeBatch(32, 32 * 2000)
    const roofline = createStepCost({ ...options, backend: 'roofline' }).seconds(batch)
    const calibrated = createStepCost(options).seconds(batch)
    expect(calibrated).toBeGreaterThan(roofline)
    expect(calibrated).toBeLessThan(3 * roofline)
  })

  it('counts the window sum for windowed layers only', () => {
    const step = createStepCost({ architecture: model('gpt-oss-20b'), accelerator: accelerator('h100-sxm') })
    const found = step.decodePiece(4, 40_000, piece())
    expect(found.slopeSeconds).toBeGreaterThan(0)
    expect(found.windowSlopeSeconds).toBeGreaterThan(0)
    const full = step.seconds(decodeBatch(4, 40_000, 4 * 128))
    expect(step.seconds(decodeBatch(4, 40_000, 4 * 64))).toBeLessThan(full)
  })
})

describe('engine overheads', () => {
  it('add sampling only where tokens are filtered: 15 us a sequence and 100,000 entries', () => {
    const batch = decodeBatch(64, 64_000)
    const apart =
      llama8b({ filteredSampling: true }).seconds(batch) - llama8b({ filteredSampling: false }).seconds(batch)
    expect(apart).toBeCloseTo(64 * 15e-6 * 1.28256, 9)
    // Llama 3.1 asks for top-p 0.9.
    expect(llama8b().seconds(batch)).toBe(llama8b({ filteredSampling: true }).seconds(batch))
  })

  it('can be replaced one by one', () => {
    const batch = decodeBatch(1, 100)
    const apart = llama8b({ stepOverheads: { perStepSeconds: 1e-3 } }).seconds(batch) - llama8b().seconds(batch)
    expect(apart).toBeCloseTo(1e-3 - 0.25e-3, 12)
  })

  it('come from the version nearest below, and say so', () => {
    expect(engineOverheadsFor('vllm-0.15.1').extrapolations).toEqual([])
    const chosen = engineOverheadsFor('vllm-0.16.2')
    expect(chosen.overheads.name).toBe('vllm-0.15.1')
    expect(chosen.extrapolations[0]).toMatch(/no measured overheads for vllm-0\.16\.2: those of vllm-0\.15\.1/)
    expect(engineOverheadsFor('sglang-0.5.9').overheads.name).toBe('sglang-0.5.5')
    expect(engineOverheadsFor('sglang').overheads.name).toBe('sglang-0.5.5')
    expect(engineOverheadsFor('orca').overheads.name).toBe('vllm-0.15.1')
    expect(engineOverheadsFor('vllm-0.8.5').overheads.name).toBe('vllm-0.12.0')
  })

  it('hold a prefill step to the time the host needs to launch it', () => {
    const scout = createStepCost({
      architecture: model('mixtral-8x7b'),
      accelerator: accelerator('h100-sxm'),
      layout: { tp: 8 },
      maxSequences: 32,
    })
    // Above the largest graph of 64 tokens: 32 layers of 1.6 ms, and 0.25 ms a step.
    expect(scout.seconds(prefillBatch([[65, 0]], 1))).toBeCloseTo(32 * 1.6e-3 + 0.25e-3, 12)
    expect(scout.breakdown(prefillBatch([[65, 0]], 1)).host).toBeGreaterThan(0.03)
  })
})

describe('what a calibrated step says of itself', () => {
  it('is nothing where all of it was measured', () => {
    expect(llama8b().extrapolations).toEqual([])
  })

  it('names the relative an accelerator borrows from, the substitute of a format, and what is assumed', () => {
    expect(llama8b({ accelerator: accelerator('h100-pcie') }).extrapolations.join()).toMatch(/efficiencies of h100-sxm/)
    expect(llama8b({ accelerator: accelerator('tpu-v5e') }).extrapolations.join()).toMatch(/typical efficiencies/)
    expect(llama8b({ dtypes: { weights: 'fp8' }, accelerator: accelerator('a100') }).extrapolations.join()).toMatch(
      /matrix multiplication not measured in fp8: that of bf16/,
    )
    const spread = createStepCost({
      architecture: model('qwen3-30b-a3b'),
      accelerator: accelerator('h100-sxm'),
      layout: { dp: 4, ep: 4 },
    })
    expect(spread.extrapolations.join()).toMatch(/dispatch to experts/)
    expect(spread.extrapolations.join()).toMatch(/expert parallelism: .*routing skew/)
  })
})

describe('every registered model on every registered accelerator', () => {
  it('has a finite step time above the roofline of its weights', () => {
    for (const name of modelNames) {
      for (const device of acceleratorNames) {
        const options = { architecture: model(name), accelerator: accelerator(device) }
        for (const batch of [decodeBatch(8, 8000, 4000), prefillBatch([[512, 100]], 1)]) {
          const roofline = createStepCost({ ...options, backend: 'roofline' }).seconds(batch)
          const seconds = createStepCost(options).seconds(batch)
          expect(Number.isFinite(seconds), `${name} on ${device}`).toBe(true)
          expect(seconds, `${name} on ${device}`).toBeGreaterThan(0.75 * roofline)
        }
      }
    }
  })
})
