import { requireNonNegative, requirePositive } from '../costInputError.ts'

export interface PointToPoint {
  /** Latency of the first byte. */
  readonly firstByteSeconds: number
  readonly bandwidthSeconds: number
  /** Latency and bandwidth add. */
  readonly totalSeconds: number
}

/**
 * One chip sends to another over a torus: `T_first = hops t_hop`, `T_total = bytes/(n_ports W_oneway) + hops t_hop`.
 * Book ch. 2, H7.
 * @param of bytes sent; ports that can be used at once (two from the corner of a 2D slice); bandwidth of one link in one
 *   direction; hops from `torusHops`; latency of a hop (about 1e-6 s)
 */
export function pointToPoint(of: {
  readonly bytes: number
  readonly ports: number
  readonly linkBytesPerSecond: number
  readonly hops: number
  readonly hopSeconds: number
}): PointToPoint {
  const { bytes, ports, linkBytesPerSecond, hops, hopSeconds } = of
  requireNonNegative('pointToPoint', { bytes, hops, hopSeconds })
  requirePositive('pointToPoint', { ports, linkBytesPerSecond })
  const firstByteSeconds = hops * hopSeconds
  const bandwidthSeconds = bytes / (ports * linkBytesPerSecond)
  return { firstByteSeconds, bandwidthSeconds, totalSeconds: firstByteSeconds + bandwidthSeconds }
}
