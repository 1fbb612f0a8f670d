import { sliceWraparound, torusDiameter, torusHops, torusLinks } from '@windtunnel/cost'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const torus = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 16 }), fc.boolean()), { minLength: 1, maxLength: 3 })
  .map((axes) => ({ shape: axes.map(([length]) => length), wraps: axes.map(([, wraps]) => wraps) }))
const place = (shape: readonly number[], seed: number) => shape.map((length, axis) => (seed >> (4 * axis)) % length)

test('hops are the same both ways, none to oneself, and never more than the diameter', () => {
  fc.assert(
    fc.property(torus, fc.nat(4095), fc.nat(4095), (grid, a, b) => {
      const [from, to] = [place(grid.shape, a), place(grid.shape, b)]
      expect(torusHops(grid, from, to)).toBe(torusHops(grid, to, from))
      expect(torusHops(grid, from, from)).toBe(0)
      expect(torusHops(grid, from, to)).toBeLessThanOrEqual(torusDiameter(grid))
    }),
  )
})

test('a ring halves the way round', () => {
  expect(torusHops({ shape: [16], wraps: [true] }, [0], [15])).toBe(1)
  expect(torusHops({ shape: [16], wraps: [false] }, [0], [15])).toBe(15)
  expect(torusDiameter({ shape: [16, 16], wraps: [true, true] })).toBe(16)
})

test('a place outside the slice is refused', () => {
  expect(() => torusHops({ shape: [4, 4], wraps: [false, false] }, [0, 0], [4, 0])).toThrow(/a place inside 4x4/)
})

test('wraparound is a matter of two or three axes', () => {
  expect(() => sliceWraparound([16])).toThrow(/two axes/)
})

test('a chip inside the slice has two links along each axis', () => {
  expect(torusLinks({ shape: [4, 4], wraps: [false, false] })).toBe(4)
  expect(torusLinks({ shape: [2, 4, 1], wraps: [false, true, false] })).toBe(3)
})
