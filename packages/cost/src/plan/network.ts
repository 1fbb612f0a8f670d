import { type Accelerator, nodeEgress, serverOf } from '@windtunnel/hardware'
import { CostInputError } from '../costInputError.ts'
import { collectiveLink, serverDevicesOf } from '../step/collectiveLink.ts'

/** How the accelerators of a plan reach each other. */
export type PlanNetwork =
  | {
      kind: 'torus'
      /** Hardware axes of the torus. */
      axes: number
      /** One axis, both directions. */
      linkBytesPerSecond: number
      /** Share of one chip in the data-centre network; undefined where no source gives it. */
      dcnBytesPerSecondPerChip: number | undefined
    }
  | {
      kind: 'switched'
      gpusPerNode: number
      /** Egress of one GPU inside its node, one direction. */
      gpuBytesPerSecond: number
      /** Egress of a node; undefined where no source gives it. */
      nodeBytesPerSecond: number | undefined
    }

/**
 * The network of an accelerator: the torus of a TPU, or the server a GPU usually sits in and that server's network cards.
 * @throws CostInputError where no source gives the bandwidth of its links.
 */
export function networkOf(accelerator: Accelerator): PlanNetwork {
  const link = accelerator.scaleUpLinkBytesPerSecond
  if (accelerator.torusDimensions !== undefined && link !== undefined) {
    return {
      kind: 'torus',
      axes: accelerator.torusDimensions,
      linkBytesPerSecond: 2 * link,
      dcnBytesPerSecondPerChip: accelerator.dcnBytesPerSecond,
    }
  }
  const node = serverOf(accelerator.name)
  if (accelerator.scaleUpBytesPerSecond === undefined) {
    throw new CostInputError({
      where: `plan on ${accelerator.name}`,
      quantity: 'scaleUpBytesPerSecond',
      expected: 'given by the accelerator',
      found: undefined,
    })
  }
  const gpusPerNode = serverDevicesOf(accelerator)
  return {
    kind: 'switched',
    gpusPerNode,
    gpuBytesPerSecond: collectiveLink(accelerator, gpusPerNode).bytesPerSecond,
    nodeBytesPerSecond: node === undefined ? undefined : nodeEgress(node),
  }
}

/** What a plan assumes of the network of an accelerator that no registered node holds. */
export const networkNotes = ({ name }: Accelerator, network: PlanNetwork): string[] =>
  network.kind === 'torus' || serverOf(name) !== undefined
    ? []
    : [`${network.gpusPerNode} of ${name} on one scale-up network: no node of them is known`]
