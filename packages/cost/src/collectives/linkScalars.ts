import { requireCount, requirePositive } from '../costInputError.ts'

/** Scalars (or chunks) that one link of a ring carries. */
export interface LinkScalars {
  /** AllGather or ReduceScatter around one direction: `S (1 - 1/D)`; half of it over each direction of two. */
  readonly gatherOneWay: number
  readonly gatherBothWays: number
  /** AllToAll around one direction: `S/2 (1 - 1/D)`. */
  readonly exchangeOneWay: number
  /** AllToAll over the busier direction of two: the chunks to the right times `S/D^2`. */
  readonly exchangeBothWays: number
  /** Chunks of `S/D^2` scalars that cross a link to the right, `(D/2)(D/2+1)/2`, ... */
  readonly chunksRight: number
  /** ... to the left, `(D/2)(D/2-1)/2`, ... */
  readonly chunksLeft: number
  /** ... and together, `D^2/4` for an even D. */
  readonly chunksBothWays: number
  /** AllToAll over AllGather around one direction: a half. */
  readonly oneWayRatio: number
  /** What AllToAll over AllGather tends to for a long ring used both ways: a quarter. */
  readonly bothWaysRatioLimit: number
}

/**
 * What crosses one link when a ring of D devices gathers or transposes an array of S scalars. Book ch. 3, C15 (with
 * S = N^2) and C10. Shards go the shorter way round; those at half a ring go right.
 * @param scalars elements of the array
 * @param devices devices of the ring
 */
export function linkScalars(scalars: number, devices: number): LinkScalars {
  requirePositive('linkScalars', { scalars })
  requireCount('linkScalars', { devices })
  const half = Math.floor(devices / 2)
  const left = Math.floor((devices - 1) / 2)
  const chunksRight = (half * (half + 1)) / 2
  const chunksLeft = (left * (left + 1)) / 2
  const gatherOneWay = scalars * (1 - 1 / devices)
  const exchangeOneWay = gatherOneWay / 2
  return {
    gatherOneWay,
    gatherBothWays: gatherOneWay / 2,
    exchangeOneWay,
    exchangeBothWays: (chunksRight * scalars) / (devices * devices),
    chunksRight,
    chunksLeft,
    chunksBothWays: chunksRight + chunksLeft,
    oneWayRatio: exchangeOneWay / gatherOneWay,
    bothWaysRatioLimit: 1 / 4,
  }
}
