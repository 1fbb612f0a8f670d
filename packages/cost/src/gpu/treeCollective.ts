import type { CollectiveKind } from '../collectives/collectiveKind.ts'
import { CostInputError, requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'

/** One level of a fat tree, from the node up. */
export interface GatherLevel {
  /** `node`, `leaf`, `spine` ... */
  readonly name?: string
  /** Sub-trees of the level below that meet here: GPUs of a node, nodes of a unit, units of a cluster. */
  readonly degree: number
  /** What one such sub-tree can send up, bytes/s. */
  readonly linkBytesPerSecond: number
}

export interface TreeGather {
  /** `D_i W_i / (D_i - 1)` at each level, bytes/s; Infinity where a level has one sub-tree. */
  readonly levelBytesPerSecond: readonly number[]
  /** The least of them. */
  readonly bytesPerSecond: number
  /** The level that sets it, by name or as `level 1`. */
  readonly binding: string
  readonly seconds: number
}

const rounds = (kind: CollectiveKind): number => {
  if (kind === 'all-gather' || kind === 'reduce-scatter') return 1
  if (kind === 'all-reduce') return 2
  const expected = 'all-gather, reduce-scatter or all-reduce; see acrossNodesAllToAll'
  throw new CostInputError({ where: 'treeCollective', quantity: 'kind', expected, found: kind })
}

/**
 * Collective over a fat tree that reduces nothing on the way: `V max_i (D_i-1)/(D_i W_i)` for AllGather and
 * ReduceScatter, twice that for AllReduce. Book ch. 12, G12 (H100 SuperPod: 514, 413 and 17,100 GB/s, hence 413).
 * @param bytes V, bytes of the gathered array; 0 for the bandwidths only
 */
export function treeCollective(kind: CollectiveKind, bytes: number, levels: readonly GatherLevel[]): TreeGather {
  requireNonNegative('treeCollective', { bytes })
  requireCount('treeCollective', { levels: levels.length })
  const levelBytesPerSecond = levels.map(({ degree, linkBytesPerSecond }) => {
    requireCount('treeCollective', { degree })
    requirePositive('treeCollective', { linkBytesPerSecond })
    return (degree * linkBytesPerSecond) / (degree - 1)
  })
  const bytesPerSecond = Math.min(...levelBytesPerSecond)
  const at = levelBytesPerSecond.indexOf(bytesPerSecond)
  const binding = levels[at]?.name ?? `level ${at + 1}`
  return { levelBytesPerSecond, bytesPerSecond, binding, seconds: (rounds(kind) * bytes) / bytesPerSecond }
}

/** A gather within and across nodes, rounded as the book does. */
export interface NodeGather {
  readonly nodeSeconds: number
  readonly scaleOutSeconds: number
  /** The longer. */
  readonly seconds: number
}

/** An array spread over nodes, sharded over an inner axis Y that fills nodes first. */
export interface ShardedOverNodes {
  /** V, bytes of the whole array. */
  readonly bytes: number
  /** Y, ways the array stays sharded over the inner axis; 1 unless given. */
  readonly innerShards?: number
  readonly gpusPerNode: number
  /** Egress of a GPU within its node, bytes/s. */
  readonly gpuBytesPerSecond: number
  /** Egress of a node, bytes/s. */
  readonly nodeBytesPerSecond: number
}

/**
 * Collective over X of an array that is also sharded over an inner axis Y: node `V/(W_gpu min(Y, D_node))`, scale-out
 * `V D_node/(W_node max(D_node, Y))`, the longer counts; AllReduce doubles. Book ch. 12, G14, and G12 with Y = 1
 * (`max(V/W_gpu, V/W_node)`). Sharding over Y helps across nodes only once Y exceeds the node.
 */
export function shardedNodeCollective(kind: CollectiveKind, of: ShardedOverNodes): NodeGather {
  const { bytes, innerShards = 1, gpusPerNode, gpuBytesPerSecond, nodeBytesPerSecond } = of
  requireNonNegative('shardedNodeCollective', { bytes })
  requirePositive('shardedNodeCollective', { innerShards, gpusPerNode, gpuBytesPerSecond, nodeBytesPerSecond })
  const all = rounds(kind) * bytes
  const nodeSeconds = all / (gpuBytesPerSecond * Math.min(innerShards, gpusPerNode))
  const scaleOutSeconds = (all * gpusPerNode) / (nodeBytesPerSecond * Math.max(gpusPerNode, innerShards))
  return { nodeSeconds, scaleOutSeconds, seconds: Math.max(nodeSeconds, scaleOutSeconds) }
}

/** A level of a fat tree as one GPU sees it. */
export interface ShardedGatherLevel {
  readonly degree: number
  /** What one GPU can send at this level, bytes/s: 450e9 in an H100 node, 50e9 at leaf and spine. */
  readonly gpuBytesPerSecond: number
}

/**
 * The exact form: `V max_i (D_i-1)/(D_i max(Y, S_{i-1}) W_i)`, with W_i for each GPU and S_{i-1} the GPUs of a sub-tree
 * below level i. Book ch. 12, G15. Seconds.
 */
export function shardedTreeSeconds(
  kind: CollectiveKind,
  of: { readonly bytes: number; readonly innerShards?: number; readonly levels: readonly ShardedGatherLevel[] },
): number {
  const { bytes, innerShards = 1, levels } = of
  requireNonNegative('shardedTreeSeconds', { bytes })
  requirePositive('shardedTreeSeconds', { innerShards })
  let below = 1
  let slowest = 0
  for (const { degree, gpuBytesPerSecond } of levels) {
    requireCount('shardedTreeSeconds', { degree })
    requirePositive('shardedTreeSeconds', { gpuBytesPerSecond })
    slowest = Math.max(slowest, (degree - 1) / (degree * Math.max(innerShards, below) * gpuBytesPerSecond))
    below *= degree
  }
  return rounds(kind) * bytes * slowest
}

/**
 * AllGather over the nodes of one unit with an inner axis Y, as the book's third pop quiz answers it: up to the node
 * size `V (M-1)/(M W_node)` (G15), beyond it the rounded `V D_node/(W_node Y)` (G14). Seconds.
 * @param of bytes V; Y; GPUs per node D_node; nodes M; egress of a node in bytes/s
 */
export function unitGatherSeconds(of: {
  readonly bytes: number
  readonly innerShards: number
  readonly gpusPerNode: number
  readonly nodes: number
  readonly nodeBytesPerSecond: number
}): number {
  const { bytes, innerShards, gpusPerNode, nodes, nodeBytesPerSecond } = of
  requireNonNegative('unitGatherSeconds', { bytes })
  requireCount('unitGatherSeconds', { innerShards, gpusPerNode, nodes })
  requirePositive('unitGatherSeconds', { nodeBytesPerSecond })
  if (innerShards > gpusPerNode) return (bytes * gpusPerNode) / (nodeBytesPerSecond * innerShards)
  return ((bytes / nodeBytesPerSecond) * (nodes - 1)) / nodes
}

/**
 * AllToAll over M nodes: `V(M-1)/(M^2 W_node)`, about `V/(M W_node)`; it cannot be done level by level. Book ch. 12,
 * G13. Seconds.
 */
export function acrossNodesAllToAll(
  bytes: number,
  nodes: number,
  nodeBytesPerSecond: number,
): { readonly seconds: number; readonly roundedSeconds: number } {
  requireNonNegative('acrossNodesAllToAll', { bytes })
  requireCount('acrossNodesAllToAll', { nodes })
  requirePositive('acrossNodesAllToAll', { nodeBytesPerSecond })
  const roundedSeconds = bytes / (nodes * nodeBytesPerSecond)
  return { seconds: (roundedSeconds * (nodes - 1)) / nodes, roundedSeconds }
}
