import { expectedTime, HloError, hloBytes, parseHlo } from '@windtunnel/cost'
import { describe, expect, test } from 'vitest'

const upProjection =
  '%fusion.3 = bf16[8,1024,16384]{2,1,0:T(8,128)(2,1)} fusion(bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)} %fusion.32, bf16[8192,16384]{1,0:T(8,128)(2,1)} %copy.4), kind=kOutput, calls=%fused_computation.3'

const reduceScatter =
  '%reduce-scatter.1 = bf16[2,1024,8192]{2,1,0:T(8,128)(2,1)} reduce-scatter(bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)} %fusion.31), channel_id=5, replica_groups={{0,16,32,48,64,80,96,112},{1,17,33,49,65,81,97,113}}, dimensions={0}'

describe('an operator of compiled HLO', () => {
  test('is read with its arrays, layouts and tiles', () => {
    const found = parseHlo(upProjection)
    expect(found).toMatchObject({ name: 'fusion.3', operation: 'fusion', groupSize: undefined })
    expect(found.result).toEqual({ dtype: 'bf16', shape: [8, 1024, 16384], tile: [8, 128] })
    expect(found.operands.map((operand) => operand.shape)).toEqual([
      [8, 1024, 8192],
      [8192, 16384],
    ])
  })

  test('shows the degree of parallelism as the width of its replica groups', () => {
    expect(parseHlo(reduceScatter).groupSize).toBe(8)
    const iota = '%ag = f32[8] all-gather(f32[2] %a), replica_groups=[2,4]<=[8], dimensions={0}'
    expect(parseHlo(iota).groupSize).toBe(4)
  })

  test('takes its local FLOPs over the peak of a core', () => {
    // 2 * 8192 tokens * 8192 * 16384 at 23e12: the book's 95.6 ms.
    const found = expectedTime(upProjection, { peakFlopsPerSecond: 23e12 })
    expect(found.flops).toBe(2 * 8192 * 8192 * 16384)
    expect(found.lowerSeconds).toBeCloseTo(0.0956, 4)
    expect(found.bound).toBe('compute')
  })

  test('takes its bytes over the link when it is a collective', () => {
    const found = expectedTime(reduceScatter, { peakFlopsPerSecond: 23e12, linkBytesPerSecond: 1.2e11 })
    expect(found).toMatchObject({ collective: 'reduce-scatter', bytes: 134217728, flops: 0, bound: 'memory' })
    expect(found.lowerSeconds).toBeCloseTo(1.118e-3, 6)
    expect(() => expectedTime(reduceScatter, { peakFlopsPerSecond: 23e12 })).toThrow(/give linkBytesPerSecond/)
  })

  test('stores its arrays padded to the tile', () => {
    expect(hloBytes({ dtype: 'f32', shape: [3, 5], tile: [2, 2] })).toEqual({ bytes: 60, paddedBytes: 96 })
  })

  test('is refused where the line is none, or has no two operands', () => {
    expect(() => parseHlo('fusion.3')).toThrow(HloError)
    expect(() => expectedTime('%c = f32[8] copy(f32[8] %a)', { peakFlopsPerSecond: 1 })).toThrow(/no two operands/)
  })
})
