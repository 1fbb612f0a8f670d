import { type Accelerator, podOf, product, supportedSlices, wrapsOf } from '@windtunnel/hardware'
import { type TorusAxis, torusCollective } from '../collectives/index.ts'
import { moveSeconds } from '../rooflines/time.ts'
import type { PlanNetwork } from './network.ts'

/** A number of accelerators, and for TPUs how they lie. */
export interface ServingSlice {
  chips: number
  shape: readonly number[] | undefined
}

/**
 * Slices to consider, smallest first: the shapes a TPU's cloud offers, or powers of two. With `chipCounts` those counts,
 * a TPU shape only where one of that many chips is offered.
 */
export function servingSlices(
  accelerator: Accelerator,
  chipCounts: readonly number[] | undefined,
): readonly ServingSlice[] {
  const shapes = accelerator.pod === undefined ? undefined : supportedSlices(accelerator)
  const shapeOf = (chips: number) => shapes?.find((shape) => product(shape) === chips)
  const offered = shapes === undefined ? [1, 2, 4, 8, 16, 32, 64] : shapes.map(product)
  const counts = [...new Set(chipCounts ?? offered)].sort((a, b) => a - b)
  return counts.map((chips) => ({ chips, shape: shapeOf(chips) }))
}

/**
 * Seconds of one AllGather or ReduceScatter of `bytes` over a whole slice: on a torus over all its axes, with the hops
 * (C6, C7); behind switches `V(N-1)/(N W)`, over nodes at the egress of a node (G8, G12). 0 on one chip.
 * Undefined where no source gives the bandwidth between nodes, or no slice of a TPU has that many chips.
 */
export function sliceCollectiveSeconds(
  accelerator: Accelerator,
  network: PlanNetwork,
  slice: ServingSlice,
  bytes: number,
): number | undefined {
  const { chips } = slice
  if (chips === 1) return 0
  if (network.kind === 'torus') {
    if (slice.shape === undefined) return undefined
    const axes = torusAxes(accelerator, network.linkBytesPerSecond, slice.shape)
    return torusCollective('all-gather', { bytes, axes }).seconds
  }
  const { gpusPerNode, gpuBytesPerSecond, nodeBytesPerSecond } = network
  const inside = Math.min(chips, gpusPerNode)
  const seconds = moveSeconds((bytes * (inside - 1)) / inside, gpuBytesPerSecond)
  if (chips <= gpusPerNode) return seconds
  if (nodeBytesPerSecond === undefined) return undefined
  const nodes = chips / gpusPerNode
  return Math.max(seconds, moveSeconds((bytes * (nodes - 1)) / nodes, nodeBytesPerSecond))
}

function torusAxes(accelerator: Accelerator, axisBytesPerSecond: number, shape: readonly number[]): TorusAxis[] {
  const linkBytesPerSecond = axisBytesPerSecond / 2
  const hop = accelerator.scaleUpHopSeconds === undefined ? {} : { hopSeconds: accelerator.scaleUpHopSeconds }
  const wraps = wrapsOf(podOf(accelerator), shape)
  return shape.map((size, axis) => ({ size, linkBytesPerSecond, wraps: wraps[axis] === true, ...hop }))
}
