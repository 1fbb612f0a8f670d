import { modelSizes, networkOf, planServing } from '@windtunnel/cost'
import { accelerator } from '@windtunnel/hardware'
import { model } from '@windtunnel/models'
import { describe, expect, test } from 'vitest'

describe('what a plan is made from', () => {
  test('Mixtral: a token uses two experts of 14336, a layer holds eight', () => {
    expect(modelSizes(model('mixtral-8x7b'))).toMatchObject({
      layers: 32,
      dModel: 4096,
      dFf: 28_672,
      heldPerUsedWeight: 4,
      queryHeads: 32,
      kvHeads: 8,
      headDim: 128,
    })
  })

  test('latent attention keeps one cache for all heads, so it cannot be split by heads', () => {
    expect(modelSizes(model('deepseek-v3')).kvHeads).toBe(1)
  })

  test('v5p: three axes of twice 90 GB/s; H100: a node of eight at 450 GB/s and 400 GB/s between nodes', () => {
    expect(networkOf(accelerator('tpu-v5p', 'book'))).toEqual({
      kind: 'torus',
      axes: 3,
      linkBytesPerSecond: 180e9,
      dcnBytesPerSecondPerChip: 6.25e9,
    })
    expect(networkOf(accelerator('h100-sxm', 'book'))).toEqual({
      kind: 'switched',
      gpusPerNode: 8,
      gpuBytesPerSecond: 450e9,
      nodeBytesPerSecond: 400e9,
    })
  })

  test('a count that no TPU slice has is rejected with that reason', () => {
    const tokens = { contextTokens: 1024, promptTokens: 512, outputTokens: 512 }
    const on = { model: model('llama-3.1-8b'), accelerator: accelerator('tpu-v5e'), chipCounts: [4, 6] }
    const plan = planServing({ ...on, ...tokens })
    expect(plan.options.map(({ chips }) => chips)).toEqual([4])
    expect(plan.rejected).toEqual([{ chips: 6, shape: undefined, reason: 'no slice of that many chips is offered' }])
  })
})
