import { describe, expect, it } from 'vitest'
import { calibrate } from '../../src/calibration/calibrate.ts'
import type { KernelRow } from '../../src/calibration/kernelRow.ts'
import { parameterJson, parameterModule } from '../../src/calibration/parameterModule.ts'

const peaks = { flopsPerSecond: { bf16: 1e15 }, hbmBytesPerSecond: 4e12, l2Bytes: 50e6 }
const common = { accelerator: 'mine', dtype: 'bf16', kernel: 'k', source: 'me/1.0', suspect: false } as const

const decodeRows = (factor: number): KernelRow[] =>
  [1, 4, 16, 64].flatMap((batch) =>
    [1024, 4096, 16384, 65536].map((context): KernelRow => {
      // 10 us, then 80 % of 4e12 B/s for 8 KV heads of 128 in 2 bytes, keys and values, and 32 heads of queries and outputs.
      const bytes = batch * (context * 2 * 8 * 128 * 2 + 4 * 32 * 128)
      const sizes = { batch, q_len: 1, kv_len: context, heads: 32, kv_heads: 8, head_dim: 128 }
      return { ...common, operation: 'attn_decode', seconds: (10e-6 + bytes / 3.2e12) * factor, sizes }
    }),
  )

const allReduceRows = [1e4, 1e5, 1e6, 1e7, 1e8].map((bytes): KernelRow => {
  // Two ranks send the payload once: 5 us and 400 GB/s.
  const sizes = { bytes, world_size: 2 }
  const seconds = 5e-6 + bytes / 4e11
  return { ...common, operation: 'all_reduce', kernel: 'vLLM_custom_graph', source: 'x/0.19.0', seconds, sizes }
})

describe('calibrating an accelerator', () => {
  const { parameters, fitted } = calibrate([...decodeRows(1), ...allReduceRows], {
    accelerator: 'mine',
    source: 'me',
    peaks,
  })

  it('fits what was measured, format by format', () => {
    expect(parameters.decodeAttention.bf16!.memoryEfficiency).toBeCloseTo(0.8, 2)
    expect(parameters.decodeAttention.bf16!.fixedSeconds * 1e6).toBeCloseTo(10, 0)
    expect(parameters.smallAllReduce).toHaveLength(1)
    expect(parameters.smallAllReduce[0]!.byRanks[0]!.bytesPerSecond / 1e9).toBeCloseTo(400, -1)
  })

  it('leaves out what was not', () => {
    expect(parameters.gemm).toEqual({})
    expect(parameters.largeAllReduce).toEqual([])
  })

  it('reports residuals on rows it did not see', () => {
    const decode = fitted.find((entry) => entry.operation === 'decode attention')!
    expect(decode.unseen!.rows).toBe(4)
    expect(decode.unseen!.medianPercent).toBeLessThan(1)
  })

  it('uses the kernel with most rows when several were measured', () => {
    const other = decodeRows(3).slice(0, 6)
    const rows = [...other.map((row) => ({ ...row, kernel: 'other' })), ...decodeRows(1)]
    const found = calibrate(rows, { accelerator: 'mine', source: 'me', peaks })
    expect(found.fitted[0]!.kernel).toBe('k')
    expect(found.parameters.decodeAttention.bf16!.memoryEfficiency).toBeCloseTo(0.8, 2)
  })

  it('writes figures that read back, to four digits', () => {
    expect(JSON.parse(parameterJson(parameters)).accelerator).toBe('mine')
    expect(parameterModule(parameters, 'mine')).toMatch(/export const mine: KernelParameters = \{/)
  })
})
