import { CostInputError, requireCount } from '../costInputError.ts'

/** The rules by which a slice's axes close into rings. */
export interface WraparoundRule {
  /** Axis length that wraps on a 2D part: the pod's, 16 unless given. */
  readonly fullAxis?: number
  /** Side of the cube whose whole multiples wrap on a 3D part: 4 unless given. */
  readonly cube?: number
}

/**
 * Which axes of a TPU slice have wraparound links. Book ch. 2, H8. A 2D part (v5e, v6e) wraps exactly the axes of 16; a
 * 3D part (v4p, v5p) wraps all axes or none: all iff each is a multiple of 4, so that `2x2x4` has none.
 * @param shape chips along each axis: two numbers for a 2D part, three for a 3D one
 * @throws CostInputError for a shape of other than two or three axes
 */
export function sliceWraparound(shape: readonly number[], rule: WraparoundRule = {}): readonly boolean[] {
  const { fullAxis = 16, cube = 4 } = rule
  shape.forEach((axis) => {
    requireCount('sliceWraparound', { axis })
  })
  if (shape.length === 2) return shape.map((axis) => axis === fullAxis)
  if (shape.length === 3) {
    const whole = shape.every((axis) => axis % cube === 0)
    return shape.map(() => whole)
  }
  const expected = 'two axes (2D parts) or three (3D parts)'
  throw new CostInputError({ where: 'sliceWraparound', quantity: 'shape', expected, found: shape.join('x') })
}
