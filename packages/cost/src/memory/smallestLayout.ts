import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import { CostInputError } from '../costInputError.ts'
import { serverDevicesOf } from '../step/collectiveLink.ts'
import { layoutOf, type ReplicaLayout, requireLayoutFor } from '../step/layout.ts'

const LARGEST = 1024

/** Whether the model can be cut this way. */
function isPossible(architecture: Architecture, layout: ReplicaLayout): boolean {
  try {
    requireLayoutFor(architecture, layout)
    return true
  } catch (error) {
    if (error instanceof CostInputError) return false
    throw error
  }
}

/**
 * The first layout that `fits`, going up in accelerators by powers of two: tensor parallelism as wide as the server
 * and the heads allow, the rest pipeline stages. Data, expert and sequence degrees stay as they are (experts fall
 * to 1 where they no longer divide). Undefined when none up to 1,024 tensor and pipeline ranks fits.
 */
export function smallestLayout(
  options: { architecture: Architecture; accelerator: Accelerator; layout?: Partial<ReplicaLayout> | undefined },
  fits: (layout: ReplicaLayout) => boolean,
): ReplicaLayout | undefined {
  const given = layoutOf(options.layout)
  const domain = serverDevicesOf(options.accelerator)
  for (let ranks = 1; ranks <= LARGEST; ranks *= 2) {
    for (let tp = Math.min(ranks, domain); tp >= 1; tp = Math.floor(tp / 2)) {
      for (const ep of [given.ep, 1]) {
        const layout = { ...given, tp, pp: ranks / tp, ep }
        if (isPossible(options.architecture, layout) && fits(layout)) return layout
      }
    }
  }
  return undefined
}
