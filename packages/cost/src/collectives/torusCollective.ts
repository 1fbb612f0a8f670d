import { product } from '@windtunnel/hardware'
import { CostInputError, requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'
import { axisBytesPerSecond } from '../topology/links.ts'
import { type CollectiveKind, type CollectiveTime, collectiveTime, repeated } from './collectiveKind.ts'

/** One mesh axis laid on one torus axis. */
export interface TorusAxis {
  /** Chips along the axis. */
  readonly size: number
  /** One link, one direction, bytes/s. The book's `W_ici` is twice that. */
  readonly linkBytesPerSecond: number
  /** Whether the axis closes into a ring. */
  readonly wraps: boolean
  /** Least time of a hop, seconds; 1e-6 unless given. */
  readonly hopSeconds?: number
}

export interface TorusCollective {
  /**
   * Bytes of the whole array: gathered (AllGather), unreduced (ReduceScatter, AllReduce), or summed over all devices
   * of the collective (AllToAll); divided below by `otherShards`.
   */
  readonly bytes: number
  /** The axes the collective runs over. */
  readonly axes: readonly TorusAxis[]
  /** Ways the array stays sharded over other mesh axes, 1 unless given: V/Y in place of V. Book C11. */
  readonly otherShards?: number
}

const axisLatency = (axis: TorusAxis): number =>
  (axis.hopSeconds ?? 1e-6) * (axis.wraps ? axis.size / 2 : axis.size - 1)

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

const axisRate = (axis: TorusAxis): number => axisBytesPerSecond(axis.linkBytesPerSecond, axis.wraps)

/** Every chip must receive the other shards: `(N-1)/N` of the bytes. The book rounds that to all of them on rings. */
function gather(bytes: number, axes: readonly TorusAxis[]): CollectiveTime {
  const devices = product(axes.map((axis) => axis.size))
  const received = axes.some((axis) => axis.wraps) ? bytes : (bytes * (devices - 1)) / devices
  return collectiveTime(received / sum(axes.map(axisRate)), sum(axes.map(axisLatency)))
}

/** The bytes that must cross the middle of each axis, over the links there: `V max(A, B, ..) / (4 N W_ici)`. C10. */
function exchange(bytes: number, axes: readonly TorusAxis[]): CollectiveTime {
  const devices = product(axes.map((axis) => axis.size))
  const crossings = axes.map((axis) => (bytes * axis.size) / (4 * devices * axisRate(axis)))
  return collectiveTime(Math.max(...crossings), sum(axes.map(axisLatency)))
}

/**
 * Time of a collective over one or several axes of a torus. Book ch. 3, C3 to C11:
 * - AllGather, ReduceScatter: `max(t_min sum X_i/2, V/(W_ici n_axes))` with wraparound; along a line without it
 *   `(X-1) V/(X W_oneway)`, at least `(X-1) t_min`. Several axes add their rates.
 * - AllReduce: twice that. AllToAll: `V max(A,B,..)/(4 N W_ici)`, V over all devices.
 *
 * Axes of size 1 take no part; without any other axis the time is 0.
 * @throws CostInputError for bytes below zero, or an axis that is not a positive whole number of chips
 */
export function torusCollective(kind: CollectiveKind, of: TorusCollective): CollectiveTime {
  const { bytes, otherShards = 1 } = of
  requireNonNegative('torusCollective', { bytes })
  requirePositive('torusCollective', { otherShards })
  for (const { size, linkBytesPerSecond, hopSeconds = 0 } of of.axes) {
    requireCount('torusCollective', { size })
    requirePositive('torusCollective', { linkBytesPerSecond })
    requireNonNegative('torusCollective', { hopSeconds })
  }
  const axes = of.axes.filter((axis) => axis.size > 1)
  if (axes.length === 0 || bytes === 0) return collectiveTime(0, 0)
  const shard = bytes / otherShards
  if (kind === 'all-to-all') return exchange(shard, axes)
  if (kind === 'all-reduce') return repeated(gather(shard, axes), 2)
  if (kind === 'all-gather' || kind === 'reduce-scatter') return gather(shard, axes)
  const expected = 'all-gather, reduce-scatter, all-reduce or all-to-all'
  throw new CostInputError({ where: 'torusCollective', quantity: 'kind', expected, found: kind })
}
