import { CostInputError, requireCount } from '../costInputError.ts'

/** A grid of chips; `wraps[i]` says whether axis i closes into a ring. */
export interface Torus {
  readonly shape: readonly number[]
  readonly wraps: readonly boolean[]
}

/** Hops along one axis between two places on it: the shorter way round where the axis wraps. Book ch. 2, H7. */
export function axisHops(length: number, from: number, to: number, wraps: boolean): number {
  const straight = Math.abs(from - to)
  return wraps ? Math.min(straight, length - straight) : straight
}

function checkPlace(torus: Torus, place: readonly number[], quantity: string): void {
  const inside = place.every((at, axis) => Number.isInteger(at) && at >= 0 && at < torus.shape[axis]!)
  if (place.length === torus.shape.length && inside) return
  const expected = `a place inside ${torus.shape.join('x')}`
  throw new CostInputError({ where: 'torusHops', quantity, expected, found: `(${place.join(', ')})` })
}

/**
 * Hops from one chip to another: the sum over the axes. Book ch. 2, H7.
 * @param from coordinates, one per axis, from 0
 * @throws CostInputError for a place outside the slice
 */
export function torusHops(torus: Torus, from: readonly number[], to: readonly number[]): number {
  checkPlace(torus, from, 'from')
  checkPlace(torus, to, 'to')
  return torus.shape.reduce((sum, length, i) => sum + axisHops(length, from[i]!, to[i]!, torus.wraps[i] ?? false), 0)
}

/** The most hops between any two chips: `N/2` along an axis that wraps, `N-1` along one that does not. Book ch. 2. */
export function torusDiameter(torus: Torus): number {
  return torus.shape.reduce((sum, length, axis) => {
    requireCount('torusDiameter', { length })
    return sum + (torus.wraps[axis] ? Math.floor(length / 2) : length - 1)
  }, 0)
}

/** Links that leave a chip in the middle of the slice: two per axis, one where the axis has two chips and no wrap. */
export function torusLinks(torus: Torus): number {
  return torus.shape.reduce((sum, length, axis) => {
    if (length === 1) return sum
    return sum + (length === 2 && !torus.wraps[axis] ? 1 : 2)
  }, 0)
}
