import type { Slice } from './slice.ts'

/** Coordinates of the chips linked to the one at `place`, one or two along each axis. */
export const neighbours = (slice: Slice, place: readonly number[]): readonly (readonly number[])[] => {
  const found: number[][] = []
  slice.shape.forEach((length, axis) => {
    for (const step of [-1, 1]) {
      const at = place[axis]! + step
      const inside = at >= 0 && at < length
      if (inside) found.push(place.with(axis, at))
      else if (slice.wraps[axis] === true && length > 2) found.push(place.with(axis, (at + length) % length))
    }
  })
  return found
}
