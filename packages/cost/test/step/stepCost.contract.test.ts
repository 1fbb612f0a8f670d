import { accelerator } from '@windtunnel/hardware'
import { model } from '@windtunnel/models'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type StepBackendName, stepBackendNames } from '../../src/step/backends/index.ts'
import { createStepCost, type StepCostOptions } from '../../src/step/createStepCost.ts'
import type { DecodePiece, StepBreakdown } from '../../src/step/stepCost.ts'
import { decodeBatch, prefillBatch } from './tinyModel.ts'

const coefficients = {
  secondsPerStep: 5e-3,
  secondsPerPrefillToken: 2e-5,
  secondsPerDecodeSequence: 1e-4,
  secondsPerContextToken: 1e-8,
}
const measuredSteps = {
  decode: [
    { sequences: 1, contextTokens: 100, seconds: 0.005 },
    { sequences: 1, contextTokens: 10000, seconds: 0.006 },
    { sequences: 32, contextTokens: 3200, seconds: 0.007 },
    { sequences: 32, contextTokens: 64000, seconds: 0.011 },
    { sequences: 32, contextTokens: 320000, seconds: 0.03 },
  ],
  prefill: [
    { tokens: 128, contextTokens: 0, seconds: 0.008 },
    { tokens: 2048, contextTokens: 0, seconds: 0.05 },
    { tokens: 2048, contextTokens: 8192, seconds: 0.06 },
  ],
}

const link = { alphaSeconds: 1e-6, bytesPerSecond: 450e9 }
const alphaBeta = {
  network: { domainCards: 8, near: link, far: undefined, allReduce: 'ring' },
  residentContext: false,
} as const

const cases: { title: string; options: Omit<StepCostOptions, 'backend'> }[] = [
  {
    title: 'Llama 3.1 8B on one H100',
    options: { architecture: model('llama-3.1-8b'), accelerator: accelerator('h100-sxm') },
  },
  {
    title: 'Mixtral 8x7B with experts over four H100',
    options: {
      architecture: model('mixtral-8x7b'),
      accelerator: accelerator('h100-sxm'),
      layout: { tp: 2, dp: 2, ep: 4 },
    },
  },
  {
    title: 'Qwen3 32B over two stages and two sequence ranks',
    options: {
      architecture: model('qwen3-32b'),
      accelerator: accelerator('h100-sxm'),
      layout: { tp: 2, pp: 2, sp: 2 },
    },
  },
]

const sum = (parts: StepBreakdown) => parts.weights + parts.kv + parts.compute + parts.collectives + parts.host
const piece = (): DecodePiece => ({
  baseSeconds: 0,
  slopeSeconds: 0,
  windowSlopeSeconds: 0,
  validUntilContextTokens: 0,
})
const at = (p: DecodePiece, context: number, window: number) =>
  p.baseSeconds + p.slopeSeconds * context + p.windowSlopeSeconds * window
const sequences = fc.integer({ min: 1, max: 600 })
const perSequence = fc.integer({ min: 1, max: 20000 })
const chunks = fc.array(fc.tuple(fc.integer({ min: 1, max: 8192 }), fc.integer({ min: 0, max: 60000 })), {
  minLength: 1,
  maxLength: 5,
})

describe.each(stepBackendNames)('every step cost keeps its contract: %s', (backend: StepBackendName) => {
  describe.each(cases)('$title', ({ options }) => {
    const step = createStepCost({ ...options, backend, coefficients, measuredSteps, alphaBeta })

    it('gives the same time for a decode step as a piece and as a batch, up to where the piece holds', () => {
      fc.assert(
        fc.property(sequences, perSequence, fc.nat({ max: 1000 }), (count, each, ahead) => {
          const from = count * each
          const found = step.decodePiece(count, from, piece())
          expect(found.validUntilContextTokens).toBeGreaterThanOrEqual(from)
          const context = Math.min(from + ahead * count, found.validUntilContextTokens)
          const seconds = step.seconds(decodeBatch(count, context))
          expect(at(found, context, context)).toBeCloseTo(seconds, 12)
          expect(seconds).toBeGreaterThan(0)
        }),
      )
    })

    it('has parts that sum to the step', () => {
      fc.assert(
        fc.property(fc.nat({ max: 300 }), perSequence, chunks, fc.nat({ max: 5 }), (count, each, list, samples) => {
          const prefill = prefillBatch(list, Math.min(samples, list.length))
          const mixed = {
            ...prefill,
            decodeSequences: count,
            decodeContextTokens: count * each,
            decodeWindowTokens: count * each,
          }
          for (const batch of [prefill, mixed, decodeBatch(count + 1, (count + 1) * each)]) {
            const seconds = step.seconds(batch)
            expect(Math.abs(sum(step.breakdown(batch)) / seconds - 1)).toBeLessThan(1e-12)
          }
        }),
      )
    })

    it('never takes less for one more token in a chunk, or for more context', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 8000 }), fc.nat({ max: 50000 }), (tokens, context) => {
          const seconds = step.seconds(prefillBatch([[tokens, context]], 1))
          expect(step.seconds(prefillBatch([[tokens + 1, context]], 1))).toBeGreaterThanOrEqual(seconds * 0.995)
          expect(step.seconds(prefillBatch([[tokens, context + 100]], 1))).toBeGreaterThanOrEqual(seconds)
        }),
      )
    })

    it('takes no time for an empty batch', () => {
      expect(step.seconds(decodeBatch(0, 0))).toBe(0)
      expect(sum(step.breakdown(decodeBatch(0, 0)))).toBe(0)
    })
  })
})

describe('prompts whose context is in the cache', () => {
  const of = (architecture: string) =>
    createStepCost({
      architecture: model(architecture),
      accelerator: accelerator('h100-sxm'),
      backend: 'alphaBeta',
      alphaBeta: { ...alphaBeta, residentContext: true },
    })

  it('cost a decode step at their full context, beside the sequences that decode', () => {
    const step = of('llama-3.1-8b')
    expect(step.seconds(prefillBatch([[1000, 24]], 1))).toBe(step.seconds(decodeBatch(1, 1024)))
    const mixed = {
      ...prefillBatch([[500, 0]], 1),
      decodeSequences: 2,
      decodeContextTokens: 600,
      decodeWindowTokens: 600,
    }
    expect(step.seconds(mixed)).toBe(step.seconds(decodeBatch(3, 1100)))
    expect(step.breakdown(mixed)).toEqual(step.breakdown(decodeBatch(3, 1100)))
  })

  it('have decode steps as without, to 4 ps a sequence, up to where a piece holds', () => {
    const step = of('llama-3.1-8b')
    fc.assert(
      fc.property(sequences, fc.integer({ min: 1, max: 131072 }), fc.nat({ max: 300 }), (count, each, ahead) => {
        const from = count * each
        const found = step.decodePiece(count, from, piece())
        expect(found.validUntilContextTokens).toBeGreaterThanOrEqual(from)
        const context = Math.min(from + ahead * count, found.validUntilContextTokens)
        const seconds = step.seconds(decodeBatch(count, context))
        expect(Math.abs(at(found, context, context) - seconds)).toBeLessThan(4e-12 * count)
      }),
    )
  })

  it('are cut at the attention window where there is one', () => {
    const step = of('gpt-oss-20b')
    const decode = { ...decodeBatch(1, 1000), decodeWindowTokens: 128 }
    expect(step.seconds(prefillBatch([[1000, 0]], 1))).toBe(step.seconds(decode))
  })
})

describe('choosing a backend', () => {
  const options = cases[0]!.options
  it('lists the known ones for a wrong name', () => {
    expect(() => createStepCost({ ...options, backend: 'rooflne' as StepBackendName })).toThrow(
      /backend must be one of .*roofline/,
    )
  })
  it('asks linear for its coefficients, measured for its table and alphaBeta for its network', () => {
    expect(() => createStepCost({ ...options, backend: 'linear' })).toThrow(/coefficients must be/)
    expect(() => createStepCost({ ...options, backend: 'measured' })).toThrow(/measuredSteps must be/)
    expect(() => createStepCost({ ...options, backend: 'alphaBeta' })).toThrow(/alphaBeta must be/)
    const network = { ...alphaBeta.network, near: { ...link, bytesPerSecond: 0 } }
    expect(() => createStepCost({ ...options, backend: 'alphaBeta', alphaBeta: { ...alphaBeta, network } })).toThrow(
      /bytesPerSecond must be/,
    )
  })
})
