import { accelerator } from '@windtunnel/hardware'
import { model } from '@windtunnel/models'
import { describe, expect, it } from 'vitest'
import { kvCapacity } from '../../src/memory/kvCapacity.ts'
import { ModelDoesNotFit } from '../../src/memory/modelDoesNotFit.ts'
import { weightBytesPerAccelerator } from '../../src/memory/weightBytes.ts'
import { stepDtypesOf } from '../../src/step/dtypes.ts'
import { layoutOf } from '../../src/step/layout.ts'
import { tinyAccelerator, tinyModel } from '../step/tinyModel.ts'

describe('KV capacity', () => {
  it('is what weights and overhead leave, in whole blocks', () => {
    // Weights: 2 x 90,000 + 200,000 embeddings + 500 norms = 380,500 x 2 B = 761,000 B. Usable: 0.9 x 2e6 = 1.8e6 B.
    // Left: 1.8e6 - 761,000 - 100,000 = 939,000 B; a block of 16 tokens takes 16 x 400 B = 6,400 B: 146.7 blocks.
    const capacity = kvCapacity({ architecture: tinyModel, accelerator: tinyAccelerator, overheadBytes: 100_000 })
    expect(capacity.weightBytes).toBe(761_000)
    expect(capacity.bytesPerBlock).toBe(6400)
    expect(capacity.blocks).toBe(146)
  })

  it('doubles with KV in 8 bits', () => {
    const options = { architecture: tinyModel, accelerator: tinyAccelerator, overheadBytes: 100_000 }
    expect(kvCapacity({ ...options, dtypes: { keyValues: 'fp8' } }).blocks).toBe(293)
  })

  it('takes the number of blocks where it is known', () => {
    const capacity = kvCapacity({ architecture: tinyModel, accelerator: tinyAccelerator, overheadBytes: 0, blocks: 77 })
    expect(capacity.blocks).toBe(77)
  })

  it.each([
    // Blocks of 16 tokens that vLLM 0.15.1 reported on 80 GB H100 at 0.9 utilisation; 0.4 GiB is the known scatter.
    ['llama-2-7b', 1, 7462],
    ['llama-2-70b', 4, 31356],
    ['mixtral-8x7b', 2, 27510],
    ['codellama-34b', 2, 26602],
  ])('of %s with tp %i comes within 0.5 GiB of the %i blocks of a real deployment', (name, tp, blocks) => {
    const capacity = kvCapacity({ architecture: model(name), accelerator: accelerator('h100-sxm'), layout: { tp } })
    const apartBytes = Math.abs(capacity.blocks - blocks) * capacity.bytesPerBlock
    expect(apartBytes).toBeLessThan(0.5 * 1024 ** 3)
  })
})

describe('KV of layers that do not see everything', () => {
  const capacity = (name: string, reservedSequences = 0) =>
    kvCapacity({ architecture: model(name), accelerator: accelerator('h100-sxm'), reservedSequences, overheadBytes: 0 })

  it('is set aside by the sequence for sliding windows: 12 of 24 layers of gpt-oss 20B keep 128 tokens', () => {
    // 8 KV heads of 64, keys and values, 2 bytes: 2,048 B a token and layer.
    expect(capacity('gpt-oss-20b').bytesPerBlock).toBe(12 * 2048 * 16)
    expect(capacity('gpt-oss-20b').bytesPerSequence).toBe(12 * 2048 * 128)
    expect(capacity('gpt-oss-20b', 100).reservedBytes).toBe(100 * 12 * 2048 * 128)
  })

  it('is kept whole for chunked attention, as vLLM does: 8,253 blocks of Llama 4 Scout in fp8 on two H100', () => {
    const scout = kvCapacity({
      architecture: model('llama-4-scout'),
      accelerator: accelerator('h100-sxm'),
      layout: { tp: 2 },
      dtypes: { weights: 'fp8' },
    })
    // 48 layers of 4 KV heads of 128 a rank, keys and values, 2 bytes, 16 tokens.
    expect(scout.bytesPerBlock).toBe(48 * 2 * 4 * 128 * 2 * 16)
    expect(Math.abs(scout.blocks - 8253) * scout.bytesPerBlock).toBeLessThan(0.5 * 1024 ** 3)
  })
})

describe('weights on one accelerator', () => {
  it('are all of the model on one, 16.06 GB for Llama 3.1 8B in bf16', () => {
    const bytes = weightBytesPerAccelerator(model('llama-3.1-8b'), layoutOf(), stepDtypesOf())
    expect(bytes / 1e9).toBeCloseTo(16.06, 2)
  })

  it('split over tensor ranks while KV projections are copied', () => {
    const whole = weightBytesPerAccelerator(model('llama-3.1-8b'), layoutOf(), stepDtypesOf())
    const sixteenth = weightBytesPerAccelerator(model('llama-3.1-8b'), layoutOf({ tp: 16 }), stepDtypesOf())
    // 16 ranks, 8 KV heads: each holds one whole key and value head of 128, twice its share; 65 norms are copied.
    const copied = 32 * 4096 * 128 * 2 + ((65 * 4096 * 15) / 16) * 2
    expect(sixteenth - whole / 16).toBeCloseTo(copied, 0)
  })

  it('leave embeddings in 16 bits when layers are stored in 8', () => {
    const bytes = weightBytesPerAccelerator(model('llama-3.1-8b'), layoutOf(), stepDtypesOf({ weights: 'fp8' }))
    expect(bytes).toBe(8_030_261_248 * 2 - 32 * (4096 * 6144 + 4096 * 4096 + 3 * 4096 * 14336))
  })
})

describe('a model that does not fit', () => {
  it('says the numbers and the smallest layout that would do', () => {
    const attempt = () => kvCapacity({ architecture: model('llama-3.1-70b'), accelerator: accelerator('h100-sxm') })
    expect(attempt).toThrow(ModelDoesNotFit)
    // 141.1 GB of weights; two H100 hold 2 x 70.6 + overhead in 2 x 76.5 GB (0.9 of 79.19 GiB).
    expect(attempt).toThrow(/weights 141\.1 GB .* has 76\.5 GB to use .* would: tp 2 \(2 accelerators\)/)
  })

  it('asks for more when a long request must fit', () => {
    const attempt = () =>
      kvCapacity({
        architecture: model('llama-3.1-70b'),
        accelerator: accelerator('h100-sxm'),
        layout: { tp: 2 },
        minimumTokens: 131_072,
      })
    expect(attempt).toThrow(/8192 blocks of 16 tokens.* would: tp 4 \(4 accelerators\)/)
  })
})
