import { type Accelerator, deviceEgress, deviceNetworkEgress, nodeOf, serverOf } from '@windtunnel/hardware'
import { CostInputError } from '../costInputError.ts'

/** The network over which a group of ranks talks. */
export interface CollectiveLink {
  kind: Accelerator['scaleUp'] | 'scale-out'
  /** What one accelerator can send per second while a collective runs. */
  bytesPerSecond: number
}

/** Taken for an accelerator that no registered node holds: an accelerator server as most are built. */
const ASSUMED_DOMAIN = 8

/**
 * Accelerators within one scale-up network, where nobody says: those of the node in which it usually sits (8 of an NVSwitch
 * server, 2 with an NVLink bridge, 72 of an NVL72 rack, 8 on PCIe), a whole slice of TPUs, 8 where no node is known.
 */
export const scaleUpDomainOf = (accelerator: Accelerator): number =>
  accelerator.scaleUp === 'ici' ? Number.POSITIVE_INFINITY : (nodeOf(accelerator.name)?.devices ?? ASSUMED_DOMAIN)

/** Accelerators that reach each other without a network: the domain, or the whole server where that is larger. */
export const serverDevicesOf = (accelerator: Accelerator): number =>
  Math.max(scaleUpDomainOf(accelerator), serverOf(accelerator.name)?.devices ?? 0)

/**
 * Axes of a torus that a group of ranks spans when laid out as square as can be: one below 16 chips, two below 64 (a
 * 4 x 4 slice), three from there on a 3-D torus.
 */
function torusAxes(ranks: number, dimensions: number): number {
  if (ranks < 16) return 1
  return ranks < 64 ? 2 : dimensions
}

/**
 * The network for `ranks` accelerators: the scale-up network while they fit its domain; PCIe while they fit a server of
 * which only parts are joined; else the network between servers, each accelerator with its share of the network cards.
 *
 * On a torus each axis carries both directions at once: 2 x link x axes (How To Scale Your Model, chapter 3); behind a
 * switch an accelerator sends at its egress bandwidth (chapter 12).
 * Throws CostInputError where no bandwidth is known.
 */
export function collectiveLink(
  accelerator: Accelerator,
  ranks: number,
  domain = scaleUpDomainOf(accelerator),
): CollectiveLink {
  if (ranks <= domain) return { kind: accelerator.scaleUp, bytesPerSecond: scaleUpBytesPerSecond(accelerator, ranks) }
  const server = serverOf(accelerator.name)
  if (server !== undefined && server !== nodeOf(accelerator.name) && ranks <= server.devices)
    return { kind: 'pcie', bytesPerSecond: deviceEgress(server) }
  const bytesPerSecond = accelerator.dcnBytesPerSecond ?? (server && deviceNetworkEgress(server))
  if (bytesPerSecond === undefined) {
    throw new CostInputError({
      where: `layout on ${accelerator.name}`,
      quantity: 'ranks that talk to each other',
      expected: `at most ${domain}, its scale-up domain, as no scale-out bandwidth is known for it`,
      found: ranks,
    })
  }
  return { kind: 'scale-out', bytesPerSecond }
}

function scaleUpBytesPerSecond(accelerator: Accelerator, ranks: number): number {
  const link = accelerator.scaleUpLinkBytesPerSecond
  if (accelerator.torusDimensions !== undefined && link !== undefined) {
    return 2 * link * torusAxes(ranks, accelerator.torusDimensions)
  }
  const bytesPerSecond = accelerator.scaleUpBytesPerSecond
  if (bytesPerSecond !== undefined) return bytesPerSecond
  if (ranks === 1) return Number.POSITIVE_INFINITY
  throw new CostInputError({
    where: `layout on ${accelerator.name}`,
    quantity: 'scaleUpBytesPerSecond',
    expected: 'a bandwidth between accelerators',
    found: undefined,
  })
}
