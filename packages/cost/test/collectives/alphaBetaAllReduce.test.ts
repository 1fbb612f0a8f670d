import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allReduceSeconds,
  ringAllReduce,
  ringTreeCrossoverBytes,
  scaledLink,
  startupSeconds,
  treeAllReduce,
} from '../../src/collectives/alphaBetaAllReduce.ts'
import { CostInputError } from '../../src/costInputError.ts'

const link = { alphaSeconds: 1e-6, bytesPerSecond: 1e9 }

describe('AllReduce with start-up times', () => {
  it('over a ring of 4 takes 6 rounds and sends three halves of the vector', () => {
    const found = ringAllReduce(4, 4000, link)
    expect(found).toMatchObject({ rounds: 6, sentBytes: 6000 })
    expect(found.seconds).toBeCloseTo(6e-6 + 6e-6, 15)
  })

  it('over a tree of 8 takes 6 rounds of the whole vector', () => {
    const found = treeAllReduce(8, 1000, link)
    expect(found).toMatchObject({ rounds: 6, sentBytes: 6000 })
    expect(found.seconds).toBeCloseTo(6e-6 + 6e-6, 15)
  })

  it('takes as long by ring as by tree at 680 KiB over 8 H100', () => {
    const h100 = { alphaSeconds: 8.22e-7, bytesPerSecond: 450e9 }
    const bytes = ringTreeCrossoverBytes(8, h100)
    expect(bytes / 1024).toBeCloseTo(680, 0)
    expect(ringAllReduce(8, bytes, h100).seconds).toBeCloseTo(treeAllReduce(8, bytes, h100).seconds, 15)
  })

  it('takes no time on one card, whatever was measured', () => {
    expect(allReduceSeconds({ kind: 'measured', seconds: 1 }, 1)).toBe(0)
    expect(allReduceSeconds({ kind: 'ring', bytes: 1e6, link }, 1)).toBe(0)
    expect(allReduceSeconds({ kind: 'tree', bytes: 1e6, link }, 1)).toBe(0)
  })

  it('grows with cards and bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 0, max: 1e9 }), (cards, bytes) => {
        const at = (n: number, size: number) => allReduceSeconds({ kind: 'ring', bytes: size, link }, n)
        expect(at(cards + 1, bytes)).toBeGreaterThan(at(cards, bytes))
        expect(at(cards, bytes + 1)).toBeGreaterThanOrEqual(at(cards, bytes))
      }),
    )
  })

  it('scales its link, but not what was measured', () => {
    const ring = { kind: 'ring', bytes: 4000, link } as const
    expect(allReduceSeconds(scaledLink(ring, { alpha: 0.5 }), 4)).toBeCloseTo(9e-6, 15)
    expect(allReduceSeconds(scaledLink(ring, { bandwidth: 2 }), 4)).toBeCloseTo(9e-6, 15)
    expect(startupSeconds(ring, 4)).toBeCloseTo(6e-6, 15)
    const measured = { kind: 'measured', seconds: 3 } as const
    expect(scaledLink(measured, { alpha: 0.5 })).toEqual(measured)
    expect(startupSeconds(measured, 4)).toBeUndefined()
  })

  it('refuses a tree of six cards, and a table without the size', () => {
    expect(() => treeAllReduce(6, 1, link)).toThrow('cards must be a power of two, found 6')
    const rows = [{ cards: 2, bytes: 10, seconds: 1 }]
    expect(() => allReduceSeconds({ kind: 'table', bytes: 11, rows }, 2)).toThrow(CostInputError)
    expect(allReduceSeconds({ kind: 'table', bytes: 10, rows }, 2)).toBe(1)
  })
})
