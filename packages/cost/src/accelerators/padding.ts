import { product } from '@windtunnel/hardware'
import { CostInputError, requireCount } from '../costInputError.ts'

/** A dimension rounded up to a whole multiple. Book ch. 2, H11: both weight dims to 128, to 256 on v6e. */
export function paddedDim(dim: number, multiple: number): number {
  requireCount('paddedDim', { dim, multiple })
  return Math.ceil(dim / multiple) * multiple
}

export interface Padded {
  readonly shape: readonly number[]
  readonly elements: number
  /** Padded elements over real ones, at least 1. */
  readonly expansion: number
}

/**
 * A shape as tiling stores it: each of the last dimensions rounded up to a multiple of the tile's. Book ch. 9, P1
 * (`T(8,128)` pads `[3, 5]` to `[8, 128]`); ch. 2, H11 with a tile of 128 or 256. An inner tile such as `(2,1)` packs
 * narrow elements within a tile and pads nothing more.
 * @throws CostInputError for a tile of more dimensions than the shape
 */
export function paddedShape(shape: readonly number[], tile: readonly number[]): Padded {
  const free = shape.length - tile.length
  if (free < 0) {
    const expected = `at most ${shape.length} dimensions, those of the shape ${shape.join('x')}`
    throw new CostInputError({ where: 'paddedShape', quantity: 'tile', expected, found: tile.join('x') })
  }
  const padded = shape.map((dim, axis) => (axis < free ? dim : paddedDim(dim, tile[axis - free]!)))
  const elements = product(padded)
  return { shape: padded, elements, expansion: elements / product(shape) }
}
