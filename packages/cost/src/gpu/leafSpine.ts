import { requireCount, requirePositive } from '../costInputError.ts'

/** A fat tree of nodes, leaf switches and spine switches: units share their leaves, all units share the spines. */
export interface LeafSpineShape {
  readonly gpus: number
  readonly gpusPerNode: number
  readonly nodesPerUnit: number
  readonly leavesPerUnit: number
  readonly spines: number
}

/** Counts of a leaf and spine tree. Book ch. 12, G24. */
export interface LeafSpineCounts {
  readonly nodes: number
  readonly units: number
  readonly nodeSwitches: number
  readonly leaves: number
  readonly totalSwitches: number
}

/** Nodes and switches of a leaf and spine tree. Book ch. 12, G24 (1024 H100: 560 switches). */
export function leafSpineCounts(of: LeafSpineShape & { readonly switchesPerNode?: number }): LeafSpineCounts {
  const { gpus, gpusPerNode, nodesPerUnit, leavesPerUnit, spines, switchesPerNode = 0 } = of
  requireCount('leafSpineCounts', { gpus, gpusPerNode, nodesPerUnit, leavesPerUnit, spines })
  const nodes = Math.ceil(gpus / gpusPerNode)
  const units = Math.ceil(nodes / nodesPerUnit)
  const nodeSwitches = nodes * switchesPerNode
  const leaves = units * leavesPerUnit
  return { nodes, units, nodeSwitches, leaves, totalSwitches: nodeSwitches + leaves + spines }
}

export interface LeafSpineBandwidth {
  /** Out of one node. */
  readonly nodeEgress: number
  /** From the nodes of a unit into its leaves. */
  readonly unitFromNodes: number
  /** From the leaves of a unit to the spines. */
  readonly unitToSpines: number
  readonly spineTotal: number
  readonly perNodeAtSpine: number
  /** Ports of one leaf towards nodes and towards spines. */
  readonly leafPortsDown: number
  readonly leafPortsUp: number
  /** Whether each level carries what the one below sends. */
  readonly fullBisection: boolean
}

/**
 * Bandwidth at each level of a leaf and spine tree, bytes/s in one direction. Book ch. 12, G24: unit to spines `leaves x
 * spines x cables x link`, spines `spines x ports x link`; equal for each node at every level under full bisection.
 */
export function leafSpineBandwidth(of: {
  /** One cable, one direction, bytes/s (400 Gb/s: 50e9). */
  readonly linkBytesPerSecond: number
  readonly linksPerNode: number
  readonly nodesPerUnit: number
  readonly units: number
  readonly leavesPerUnit: number
  readonly spines: number
  /** Cables between each leaf and each spine. */
  readonly cablesPerLeafSpine: number
  /** Ports of one spine, 64 unless given. */
  readonly spinePorts?: number
}): LeafSpineBandwidth {
  const { linkBytesPerSecond: link, linksPerNode, nodesPerUnit, units, leavesPerUnit, spines } = of
  const { cablesPerLeafSpine, spinePorts = 64 } = of
  requirePositive('leafSpineBandwidth', { linkBytesPerSecond: link })
  requireCount('leafSpineBandwidth', { linksPerNode, nodesPerUnit, units, leavesPerUnit, spines, cablesPerLeafSpine })
  const nodeEgress = linksPerNode * link
  const unitFromNodes = nodesPerUnit * nodeEgress
  const unitToSpines = leavesPerUnit * spines * cablesPerLeafSpine * link
  const spineTotal = spines * spinePorts * link
  return {
    nodeEgress,
    unitFromNodes,
    unitToSpines,
    spineTotal,
    perNodeAtSpine: spineTotal / (units * nodesPerUnit),
    leafPortsDown: (nodesPerUnit * linksPerNode) / leavesPerUnit,
    leafPortsUp: spines * cablesPerLeafSpine,
    fullBisection: unitToSpines >= unitFromNodes && spineTotal >= units * unitFromNodes,
  }
}
