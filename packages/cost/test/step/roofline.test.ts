import { accelerator } from '@windtunnel/hardware'
import { model } from '@windtunnel/models'
import { describe, expect, it } from 'vitest'
import { createStepCost } from '../../src/step/createStepCost.ts'
import { decodeBatch, prefillBatch, tinyAccelerator, tinyModel } from './tinyModel.ts'

const tiny = createStepCost({ backend: 'roofline', architecture: tinyModel, accelerator: tinyAccelerator })

describe('a decode step at the roofline', () => {
  it('reads the weights once and the KV of every context token', () => {
    // Layers: 180,000 weights; head 100,000: 560,000 bytes = 0.56 s. KV: 2 layers x 2 heads x 25 x 2 x 2 B = 400 B a token.
    expect(tiny.seconds(decodeBatch(1, 50))).toBeCloseTo(0.56 + 50 * 400e-6, 12)
  })

  it('is bound by FLOPs above 1,000 sequences, for the layers and for the head', () => {
    // 2 x 280,000 FLOPs a token at 1e9 FLOP/s.
    expect(tiny.seconds(decodeBatch(2000, 2000))).toBeCloseTo(2000 * 560e-6 + 2000 * 400e-6, 9)
  })

  it('says where the time goes', () => {
    const parts = tiny.breakdown(decodeBatch(1, 50))
    expect(parts.weights).toBeCloseTo(0.56, 12)
    expect(parts.kv).toBeCloseTo(0.02, 12)
    expect(parts.compute + parts.collectives + parts.host).toBe(0)
  })
})

describe('a prefill step at the roofline', () => {
  it('takes the maximum of FLOPs and weights for the matmuls and another for attention', () => {
    // 10 tokens after 5: pairs 50 + 55 = 105, 4 x 25 x 4 heads = 400 FLOPs a pair and layer: 84,000 FLOPs = 84 us.
    // KV read: 15 tokens x 400 B = 6,000 B; queries and outputs 10 x 400 B x 2 layers = 8,000 B: 14 ms.
    expect(tiny.seconds(prefillBatch([[10, 5]], 1))).toBeCloseTo(0.56 + 0.014, 12)
  })

  it('is bound by FLOPs for long prompts', () => {
    // 4,000 tokens: 360,000 FLOPs each; pairs 4000 x 4001 / 2 x 800 FLOPs; no sample, so no head.
    const pairs = (4000 * 4001) / 2
    expect(tiny.seconds(prefillBatch([[4000, 0]]))).toBeCloseTo((4000 * 360000 + pairs * 800) / 1e9, 9)
  })
})

describe('a tensor-parallel step at the roofline', () => {
  const split = (tp: number) =>
    createStepCost({ backend: 'roofline', architecture: tinyModel, accelerator: tinyAccelerator, layout: { tp } })

  it('halves weights and KV on two ranks and adds two ring all-reduces a layer', () => {
    // All-reduce of 1 x 100 x 2 B over 2 ranks: 2 x 200 x 1/2 / 1e5 = 2 ms; four of them.
    expect(split(2).seconds(decodeBatch(1, 50))).toBeCloseTo(0.28 + 0.01 + 0.008, 12)
  })

  it('copies KV heads when there are more ranks than KV heads', () => {
    // Four ranks: queries 25 and one key and one value head of 25 each: 75 columns of 100, not 50.
    const layer = 100 * 75 + 25 * 100 + 100 * 100 + 50 * 100
    const seconds = ((2 * layer + 25000) * 2) / 1e6
    expect(split(4).breakdown(decodeBatch(1, 50)).weights).toBeCloseTo(seconds, 12)
    expect(split(4).breakdown(decodeBatch(1, 50)).kv).toBeCloseTo(0.01, 12)
  })

  it('names the degrees that would do when heads do not divide', () => {
    expect(() => split(3)).toThrow(/tp must be a divisor of the 4 attention heads of tiny \(1, 2, 4\), found 3/)
  })
})

describe('published models at the roofline', () => {
  it('decodes Llama 3.1 70B on 8 H100 no faster than its weights can be read', () => {
    const step = createStepCost({
      backend: 'roofline',
      architecture: model('llama-3.1-70b'),
      accelerator: accelerator('h100-sxm'),
      layout: { tp: 8 },
    })
    // 70.55e9 parameters less the 1.05e9 of the embedding table, 2 B each, over 8 x 3.35e12 B/s: 5.19 ms.
    expect(step.breakdown(decodeBatch(1, 1)).weights * 1e3).toBeCloseTo(5.19, 2)
  })

  it('reads only the experts that tokens visit', () => {
    const step = createStepCost({
      backend: 'roofline',
      architecture: model('mixtral-8x7b'),
      accelerator: accelerator('h100-sxm'),
      layout: { tp: 2 },
    })
    // One token visits 2 of 8 experts: 12.75e9 parameters in matmuls, 2 B each, over 2 x 3.35e12 B/s: 3.8 ms.
    expect(step.breakdown(decodeBatch(1, 1)).weights * 1e3).toBeCloseTo(3.8, 1)
  })
})
