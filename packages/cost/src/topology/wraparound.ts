import { pod2d, wrapsOf } from '@windtunnel/hardware'
import { CostInputError, requireCount } from '../costInputError.ts'

/**
 * Which axes of a TPU slice have wraparound links. Book ch. 2, H8. A 2D part (v5e, v6e) wraps exactly the axes of 16; a
 * 3D part (v4p, v5p) wraps all axes or none: all iff each is a multiple of 4, so that `2x2x4` has none.
 * @param shape chips along each axis: two numbers for a 2D part, three for a 3D one
 * @param fullAxis length of the axes of a 2D pod, 16 unless given
 * @throws CostInputError for a shape of other than two or three axes
 */
export function sliceWraparound(shape: readonly number[], fullAxis = 16): readonly boolean[] {
  for (const axis of shape) requireCount('sliceWraparound', { axis })
  if (shape.length === 2 || shape.length === 3) {
    return wrapsOf({ ...pod2d(''), shape: shape.map(() => fullAxis) }, shape)
  }
  const expected = 'two axes (2D parts) or three (3D parts)'
  throw new CostInputError({ where: 'sliceWraparound', quantity: 'shape', expected, found: shape.join('x') })
}
