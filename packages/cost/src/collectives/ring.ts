import { requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'

export interface RingHops {
  /** Bytes that one hop moves over each link, in each direction: one shard. */
  readonly bytesPerHop: number
  /** `floor(X/2)` with both directions of a ring, `X-1` along a line or with one direction. */
  readonly hops: number
  /** `max(t_min, 2V/(X W_ici))`. */
  readonly hopSeconds: number
  readonly bound: 'bandwidth' | 'latency'
}

/**
 * The hops of an AllGather over one ring: every hop passes one shard on. Book ch. 3, C3, C5 and C7.
 * @param of bytes of the gathered array; chips of the ring; one link in one direction, bytes/s; whether it closes; least
 *   time of a hop in seconds (1e-6 unless given)
 */
export function ringHops(of: {
  readonly bytes: number
  readonly size: number
  readonly linkBytesPerSecond: number
  readonly wraps: boolean
  readonly minimumHopSeconds?: number
}): RingHops {
  const { bytes, size, linkBytesPerSecond, wraps, minimumHopSeconds = 1e-6 } = of
  requireNonNegative('ringHops', { bytes, minimumHopSeconds })
  requireCount('ringHops', { size })
  requirePositive('ringHops', { linkBytesPerSecond })
  const bytesPerHop = bytes / size
  const moving = bytesPerHop / linkBytesPerSecond
  return {
    bytesPerHop,
    hops: wraps ? Math.floor(size / 2) : size - 1,
    hopSeconds: Math.max(minimumHopSeconds, moving),
    bound: moving >= minimumHopSeconds ? 'bandwidth' : 'latency',
  }
}

/**
 * AllGather (or ReduceScatter) over a ring used in one direction only: `T = V/W (X-1)/X`. Book ch. 3, C4. Seconds.
 * @param bytes bytes of the gathered array
 * @param bytesPerSecond bandwidth of that direction
 */
export function oneWayRingSeconds(bytes: number, size: number, bytesPerSecond: number): number {
  requireCount('oneWayRingSeconds', { size })
  requirePositive('oneWayRingSeconds', { bytesPerSecond })
  return ((bytes / bytesPerSecond) * (size - 1)) / size
}

/** Bytes per hop below which a hop costs its latency and not its bytes: `W_oneway t_min`. C5, C17 (45 kB on v5e). */
export function latencyBoundBytes(linkBytesPerSecond: number, hopSeconds = 1e-6): number {
  requirePositive('latencyBoundBytes', { linkBytesPerSecond, hopSeconds })
  return linkBytesPerSecond * hopSeconds
}

/** Steps of passing shards around N devices until each has seen all: `N-1`, or `ceil((N-1)/2)` both ways. J1, C3. */
export function permuteSteps(devices: number, directions: 1 | 2 = 1): number {
  requireCount('permuteSteps', { devices })
  return Math.ceil((devices - 1) / directions)
}
