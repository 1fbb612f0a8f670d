import type { Accelerator } from '@windtunnel/hardware'
import { CostInputError } from '../costInputError.ts'

/** The network over which a group of ranks talks. */
export interface CollectiveLink {
  kind: Accelerator['scaleUp'] | 'scale-out'
  /** What one accelerator can send per second while a collective runs. */
  bytesPerSecond: number
}

/** Accelerators within one NVLink (or like) domain, where the scenario does not say: 8 a node, 72 in a GB200 or GB300 rack. */
export const scaleUpDomainOf = (accelerator: Accelerator): number => {
  if (accelerator.scaleUp === 'ici') return Number.POSITIVE_INFINITY
  return accelerator.name.startsWith('gb') ? 72 : 8
}

/**
 * Axes of a torus that a group of ranks spans when laid out as square as can be: one below 16 chips, two below 64 (a
 * 4 x 4 slice), three from there on a 3-D torus.
 */
function torusAxes(ranks: number, dimensions: number): number {
  if (ranks < 16) return 1
  return ranks < 64 ? 2 : dimensions
}

/**
 * The network for `ranks` accelerators: the scale-up network while they fit its domain, else the data-centre network.
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
  const bytesPerSecond = accelerator.dcnBytesPerSecond
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
