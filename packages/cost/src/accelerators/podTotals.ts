import { product } from '@windtunnel/hardware'
import { CostInputError, requireCount, requireNonNegative } from '../costInputError.ts'

/** The per-chip figures of a pod or slice; shapes in chips along each axis. */
export interface Pod {
  readonly podShape: readonly number[]
  readonly hostShape: readonly number[]
  readonly coresPerChip: number
  /** Peak of one chip, FLOP/s. */
  readonly flopsPerSecond: number
  /** HBM of one chip, bytes. */
  readonly hbmBytes: number
  /** HBM bandwidth of one chip, bytes/s; 0 unless given. */
  readonly hbmBytesPerSecond?: number
}

export interface PodTotals {
  readonly chips: number
  readonly hosts: number
  readonly cores: number
  readonly chipsPerHost: number
  readonly flopsPerSecond: number
  readonly hbmBytes: number
  readonly hbmBytesPerSecond: number
}

/**
 * Totals of a pod or slice: `chips = prod(pod)`, `hosts = prod(pod)/prod(host)`, and chips times each per-chip figure.
 * Book ch. 2, H4. A slice smaller than a host occupies one.
 * @throws CostInputError where the chips do not fill whole hosts
 */
export function podTotals(pod: Pod): PodTotals {
  const chips = product(pod.podShape)
  const chipsPerHost = product(pod.hostShape)
  const { coresPerChip, flopsPerSecond, hbmBytes, hbmBytesPerSecond = 0 } = pod
  requireCount('podTotals', { chips, chipsPerHost, coresPerChip })
  requireNonNegative('podTotals', { flopsPerSecond, hbmBytes, hbmBytesPerSecond })
  if (chips > chipsPerHost && chips % chipsPerHost !== 0) {
    const expected = `a whole number of hosts of ${pod.hostShape.join('x')} chips`
    throw new CostInputError({ where: 'podTotals', quantity: 'podShape', expected, found: pod.podShape.join('x') })
  }
  return {
    chips,
    hosts: Math.ceil(chips / chipsPerHost),
    cores: chips * coresPerChip,
    chipsPerHost,
    flopsPerSecond: chips * flopsPerSecond,
    hbmBytes: chips * hbmBytes,
    hbmBytesPerSecond: chips * hbmBytesPerSecond,
  }
}

/** A host's share of the datacentre network for each of its chips, bytes/s. Book ch. 2, H4. */
export function networkPerChip(hostBytesPerSecond: number, chipsPerHost: number): number {
  requireNonNegative('networkPerChip', { hostBytesPerSecond })
  requireCount('networkPerChip', { chipsPerHost })
  return hostBytesPerSecond / chipsPerHost
}

/** How many times slower one bandwidth is than another (HBM over ICI, HBM over PCIe). Book ch. 2, H4 and H9. */
export function bandwidthRatio(fasterBytesPerSecond: number, slowerBytesPerSecond: number): number {
  requireNonNegative('bandwidthRatio', { fasterBytesPerSecond, slowerBytesPerSecond })
  return fasterBytesPerSecond / slowerBytesPerSecond
}
