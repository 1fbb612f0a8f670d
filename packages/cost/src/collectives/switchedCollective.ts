import { requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'
import { type CollectiveKind, type CollectiveTime, collectiveTime, repeated } from './collectiveKind.ts'

export interface SwitchedCollective {
  /** Bytes of the whole array: gathered, unreduced, or summed over all devices (AllToAll). */
  readonly bytes: number
  /** Devices behind the switches, each reaching each other at its full egress. */
  readonly devices: number
  /** Egress of one device, one direction, bytes/s (H100: 450e9). */
  readonly egressBytesPerSecond: number
  /** Least time of a hop, seconds; 0 unless given. Small arrays go over a tree of `log2 N` hops. */
  readonly hopSeconds?: number
  /** Ways the array stays sharded over other mesh axes, 1 unless given. */
  readonly otherShards?: number
}

/** Levels of a binary tree over N devices: the smallest whole number h with `2^h >= N`. */
function treeLevels(devices: number): number {
  let levels = 0
  for (let reached = 1; reached < devices; reached *= 2) levels += 1
  return levels
}

/**
 * Time of a collective among devices behind a switch, as in a GPU node. Book ch. 12, G8 and G9:
 * AllGather and ReduceScatter `V(N-1)/(N W)`, AllReduce twice that (without reduction in the network), AllToAll
 * `V(N-1)/(N^2 W)`.
 */
export function switchedCollective(kind: CollectiveKind, of: SwitchedCollective): CollectiveTime {
  const { bytes, devices, egressBytesPerSecond, hopSeconds = 0, otherShards = 1 } = of
  requireNonNegative('switchedCollective', { bytes, hopSeconds })
  requireCount('switchedCollective', { devices })
  requirePositive('switchedCollective', { egressBytesPerSecond, otherShards })
  const gather = (bytes / otherShards / egressBytesPerSecond) * ((devices - 1) / devices)
  const latency = treeLevels(devices) * hopSeconds
  if (kind === 'all-to-all') return collectiveTime(gather / devices, latency)
  return repeated(collectiveTime(gather, latency), kind === 'all-reduce' ? 2 : 1)
}

/**
 * The book's round figures for the same collectives, good for many devices: `V/W`, `2V/W` for AllReduce, `V/(N W)` for
 * AllToAll. Book ch. 12, G8 and G9. Seconds.
 */
export function switchedCollectiveRounded(kind: CollectiveKind, of: SwitchedCollective): number {
  const { devices } = of
  const exact = switchedCollective(kind, { ...of, hopSeconds: 0 }).seconds
  return devices > 1 ? (exact * devices) / (devices - 1) : exact
}

/** How a ragged AllToAll shrinks when each token goes to `destinations` of `devices`, chosen at random. G10. */
export interface RaggedShare {
  /** `min(k/N, 1)`: the book's share of the dense AllToAll. */
  readonly share: number
  /** `1 - ((N-1)/N)^k`: the share of devices that k random choices reach, repeats counted once. */
  readonly exactShare: number
}

/** The share of a dense AllToAll that a ragged one moves. Book ch. 12, G10. */
export function raggedShare(destinations: number, devices: number): RaggedShare {
  requireCount('raggedShare', { destinations, devices })
  let missed = 1
  for (let choice = 0; choice < destinations; choice += 1) missed *= (devices - 1) / devices
  return { share: Math.min(destinations / devices, 1), exactShare: 1 - missed }
}

/** Seconds of a ragged AllToAll (mixture of experts). Book ch. 12, G10. */
export interface RaggedAllToAll {
  /** `(N-1)/N min(k/N, 1) V/(W N)`. */
  readonly seconds: number
  /** The same with `V/(W N)` for the dense one. */
  readonly roundedSeconds: number
  /** `(1 - ((N-1)/N)^k) (N-1)/N V/(W N)`: repeated choices of one device counted once. */
  readonly randomSeconds: number
}

/**
 * AllToAll where each token goes to `destinations` of the devices only, as with experts. Book ch. 12, G10.
 * @param of the dense collective: V is what every token sent to every device would be
 */
export function raggedAllToAll(of: SwitchedCollective & { readonly destinations: number }): RaggedAllToAll {
  const { share, exactShare } = raggedShare(of.destinations, of.devices)
  const dense = switchedCollective('all-to-all', of).seconds
  const rounded = switchedCollectiveRounded('all-to-all', of)
  return { seconds: dense * share, roundedSeconds: rounded * share, randomSeconds: dense * exactShare }
}
