import type { MeshLink } from '../collectives/deviceLinks.ts'
import { meshCollective } from '../collectives/meshCollective.ts'
import type { CollectiveStep } from './collectiveStep.ts'
import { axesSize, type Mesh } from './mesh.ts'

/** A step with what it moves. */
export interface CostedStep extends CollectiveStep {
  /** The book's V: bytes gathered, unreduced, or exchanged, for each group of devices that works together. */
  readonly bytes: number
  /** Undefined where no links were given. */
  readonly seconds: number | undefined
}

export interface CostedSteps {
  readonly steps: readonly CostedStep[]
  /** Bytes one device holds at the end ... */
  readonly localBytes: number
  /** ... and at most on the way. */
  readonly peakLocalBytes: number
}

/**
 * Follows the steps of one array on one device: what each moves, how long it takes, and what the device then holds.
 * Book ch. 3, C3 to C11: the bytes of a gather are those of the gathered array per remaining shard.
 * @param localBytes bytes a device holds before the first step
 * @param links the links of each axis; undefined for bytes only
 */
export function costSteps(
  steps: readonly CollectiveStep[],
  localBytes: number,
  mesh: Mesh,
  links: Readonly<Record<string, MeshLink>> | undefined,
): CostedSteps {
  let held = localBytes
  let peakLocalBytes = held
  const costed = steps.map((step): CostedStep => {
    const ways = axesSize(mesh, step.axes, step.array)
    const before = held
    if (step.kind === 'all-gather') held = before * ways
    if (step.kind === 'reduce-scatter' || step.kind === 'slice') held = before / ways
    peakLocalBytes = Math.max(peakLocalBytes, held)
    const grows = step.kind === 'all-gather' || step.kind === 'all-to-all'
    const bytes = step.kind === 'slice' ? 0 : grows ? before * ways : before
    return { ...step, bytes, seconds: stepSeconds(step, bytes, mesh, links) }
  })
  return { steps: costed, localBytes: held, peakLocalBytes }
}

function stepSeconds(
  step: CollectiveStep,
  bytes: number,
  mesh: Mesh,
  links: Readonly<Record<string, MeshLink>> | undefined,
): number | undefined {
  if (step.kind === 'slice') return 0
  const axes = step.axes.map((axis) => {
    const link = links?.[axis]
    return link === undefined ? undefined : { ...link, size: mesh[axis]! }
  })
  const known = axes.filter((axis) => axis !== undefined)
  return known.length === axes.length ? meshCollective(step.kind, { bytes, axes: known }).seconds : undefined
}
