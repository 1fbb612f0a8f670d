import { footprint, localViews, meanOverShards, parseShardedArray, showShardedArray } from '@windtunnel/cost'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('views of a sharded array put together are the array', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 20 }), (shards, each) => {
      const array = Array.from({ length: shards * each }, (_, at) => at)
      expect(localViews(array, shards).flat()).toEqual(array)
    }),
  )
})

test('an array that does not divide into the shards is refused', () => {
  expect(() => localViews([1, 2, 3], 2)).toThrow('an array of 3 does not divide into 2 shards')
})

test('a mean over shards needs views of one length', () => {
  expect(
    meanOverShards([
      [1, 2],
      [3, 6],
    ]),
  ).toEqual([2, 4])
  expect(() => meanOverShards([[1], [2, 3]])).toThrow('found 1, 2')
})

test('an array is written as it was read', () => {
  for (const text of ['A[I_XY, J]', 'C[I, K_Z]{U_X}', 'W[D_{data,model}, F]']) {
    expect(showShardedArray(parseShardedArray(text))).toBe(text)
  }
})

test('bytes over all devices are one copy times the devices along unused axes', () => {
  fc.assert(
    fc.property(fc.constantFrom('A[I,J]', 'A[I_X,J]', 'A[I_XY,J]', 'A[I_Z,J_X]', 'A[I_ZYX,J]'), (array) => {
      const mesh = { X: 2, Y: 3, Z: 4 }
      const { totalBytes, copyBytes, replicas } = footprint(array, { I: 24, J: 24 }, mesh, 1)
      const used = [...new Set(array.match(/[XYZ]/g) ?? [])] as ('X' | 'Y' | 'Z')[]
      expect(copyBytes).toBe(576)
      expect(replicas).toBe(used.reduce((rest, axis) => rest / mesh[axis], 24))
      expect(totalBytes).toBe(copyBytes * replicas)
    }),
  )
})
