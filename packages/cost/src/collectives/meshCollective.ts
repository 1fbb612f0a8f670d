import { product } from '@windtunnel/hardware'
import { CostInputError } from '../costInputError.ts'
import type { CollectiveKind, CollectiveTime } from './collectiveKind.ts'
import { switchedCollective } from './switchedCollective.ts'
import { type TorusAxis, torusCollective } from './torusCollective.ts'

/** A mesh axis whose devices sit behind a switch. */
export interface SwitchedAxis {
  readonly size: number
  /** Egress of one device, one direction, bytes/s. */
  readonly egressBytesPerSecond: number
  /** Least time of a hop, seconds; 0 unless given. */
  readonly hopSeconds?: number
}

/** A mesh axis on the links it uses: torus links, or a switch. */
export type MeshAxis = TorusAxis | SwitchedAxis

const isSwitched = (axis: MeshAxis): axis is SwitchedAxis => 'egressBytesPerSecond' in axis
const isTorus = (axis: MeshAxis): axis is TorusAxis => !isSwitched(axis)

/**
 * Time of a collective over mesh axes that are all on a torus (book ch. 3), or all behind a switch (book ch. 12), where
 * the slowest egress counts.
 * @throws CostInputError where axes of both kinds are mixed
 */
export function meshCollective(
  kind: CollectiveKind,
  of: { readonly bytes: number; readonly axes: readonly MeshAxis[]; readonly otherShards?: number },
): CollectiveTime {
  const { axes, ...rest } = of
  if (axes.every(isTorus)) return torusCollective(kind, { ...rest, axes })
  if (axes.every(isSwitched)) {
    return switchedCollective(kind, {
      ...rest,
      devices: product(axes.map((axis) => axis.size)),
      egressBytesPerSecond: Math.min(...axes.map((axis) => axis.egressBytesPerSecond)),
      hopSeconds: Math.max(...axes.map((axis) => axis.hopSeconds ?? 0)),
    })
  }
  const expected = 'all on a torus or all behind a switch: run the collective over one kind, then over the other'
  throw new CostInputError({ where: 'meshCollective', quantity: 'axes', expected, found: 'a mix of both' })
}
