import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accelerator,
  chipEgress,
  fullPod,
  MissingFigure,
  neighbours,
  sliceBisection,
  sliceEgress,
  sliceLinks,
  sliceOf,
  sliceTotals,
  smallestSlice,
  supportedSlices,
  UnsupportedSlice,
} from '../../src/index.ts'

const v5e = accelerator('tpu-v5e', 'book')
const v5p = accelerator('tpu-v5p', 'book')

describe('wraparound', () => {
  it('closes exactly the axes of 16 on a 2D part', () => {
    expect(sliceOf(v5e, [4, 4]).wraps).toEqual([false, false])
    expect(sliceOf(v5e, [8, 16]).wraps).toEqual([false, true])
    expect(sliceOf(accelerator('v6e'), [16, 16]).wraps).toEqual([true, true])
  })
  it('closes all axes of whole cubes and none else on a 3D part', () => {
    expect(sliceOf(accelerator('tpu-v4'), [2, 2, 4]).wraps).toEqual([false, false, false])
    expect(sliceOf(v5p, [4, 4, 8]).wraps).toEqual([true, true, true])
    expect(sliceOf(v5p, [2, 2, 1]).wraps).toEqual([false, false, false])
  })
})

describe('pod totals', () => {
  it('add up a v5e pod: 256 chips, 32 hosts, 50 PFLOP/s, 4.1 TB', () => {
    const totals = sliceTotals(fullPod(v5e))
    expect(totals).toMatchObject({ chips: 256, hosts: 32, cores: 256, hbmBytes: 4.096e12 })
    expect(totals.flopsPerSecond.bf16).toBe(256 * 197e12)
  })
  it('add up a v5p pod: 8,960 chips, 2,240 hosts, 17,920 cores', () =>
    expect(sliceTotals(fullPod(v5p))).toMatchObject({ chips: 8960, hosts: 2240, cores: 17920 }))
  it('count 9,216 chips in a v7 pod', () => expect(fullPod(accelerator('ironwood')).chips).toBe(9216))
})

describe('links of a slice', () => {
  it('are 192 in a 4x4x4 torus, three a chip', () => expect(sliceLinks(sliceOf(v5p, [4, 4, 4]))).toBe(192))
  it('are 24 in a 4x4 grid', () => expect(sliceLinks(sliceOf(v5e, [4, 4]))).toBe(24))
  it('cross the middle of a 4x4x4 torus 2 x 16 times, both ways', () =>
    expect(sliceBisection(sliceOf(v5p, [4, 4, 4]))).toBe(2 * 32 * 90e9))
  it('cross the middle of an open 4x4 grid 4 times, both ways', () =>
    expect(sliceBisection(sliceOf(v5e, [4, 4]))).toBe(2 * 4 * 45e9))
  it('are six a chip inside a v5p torus: 540 GB/s', () => expect(chipEgress(sliceOf(v5p, [4, 4, 4]))).toBe(540e9))
  it('leave a pod by its hosts: 256 x 3.125 GB/s', () => expect(sliceEgress(fullPod(v5e))).toBe(800e9))

  it('are half the neighbours of all chips, and as many as sliceLinks says', () => {
    const axis = fc.integer({ min: 1, max: 5 })
    const shapes = fc.oneof(fc.tuple(axis, axis, axis), fc.constantFrom([4, 4, 4], [4, 4, 8]))
    fc.assert(
      fc.property(shapes, (shape) => {
        const slice = sliceOf(v5p, shape)
        let ends = 0
        for (let x = 0; x < shape[0]!; x++)
          for (let y = 0; y < shape[1]!; y++)
            for (let z = 0; z < shape[2]!; z++) ends += neighbours(slice, [x, y, z]).length
        expect(ends / 2).toBe(sliceLinks(slice))
      }),
      { numRuns: 60 },
    )
  })
})

describe('the slices that can be had', () => {
  it('grow by doubling on v5e', () =>
    expect(supportedSlices(v5e).map((shape) => shape.join('x'))).toEqual(
      '1x1 2x2 2x4 4x4 4x8 8x8 8x16 16x16'.split(' '),
    ))
  it('are whole cubes from 64 chips on a 3D part', () => {
    const shapes = supportedSlices(v5p).map((shape) => shape.join('x'))
    expect(shapes.slice(0, 7)).toEqual(['2x2x1', '2x2x2', '2x2x4', '2x4x4', '4x4x4', '4x4x8', '4x4x12'])
    expect(shapes.at(-1)).toBe('16x20x28')
  })
  it('round a number of chips up to the smallest that holds them', () => {
    expect(smallestSlice(v5e, 9)?.shape).toEqual([4, 4])
    expect(smallestSlice(v5p, 65)?.shape).toEqual([4, 4, 8])
    expect(smallestSlice(v5e, 257)).toBeUndefined()
  })
  it('never shrink when more chips are asked for', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8000 }), fc.integer({ min: 0, max: 900 }), (chips, more) => {
        const small = smallestSlice(v5p, chips)!
        expect(small.chips).toBeGreaterThanOrEqual(chips)
        expect(smallestSlice(v5p, chips + more)!.chips).toBeGreaterThanOrEqual(small.chips)
      }),
    ))
  it('refuse a shape outside the pod, of other axes, or of a GPU', () => {
    expect(() => sliceOf(v5e, [32, 16])).toThrow(UnsupportedSlice)
    expect(() => sliceOf(v5e, [4, 4, 4])).toThrow(/2 whole numbers that fit in its pod of 16x16/)
    expect(() => sliceOf(v5p, [4, 4, 0])).toThrow(UnsupportedSlice)
    expect(() => sliceOf(accelerator('h100'), [2, 2])).toThrow(MissingFigure)
  })
})
