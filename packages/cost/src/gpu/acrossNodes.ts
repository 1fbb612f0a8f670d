import { type Accelerator, nodeEgress, serverOf } from '@windtunnel/hardware'
import type { CollectiveKind } from '../collectives/collectiveKind.ts'
import { CostInputError, requireCount, requireNonNegative } from '../costInputError.ts'
import { collectiveLink } from '../step/collectiveLink.ts'
import { acrossNodesAllToAll, shardedTreeSeconds } from './treeCollective.ts'

/** A collective over whole nodes of GPUs, joined by a fat tree of full bisection. */
export interface AcrossNodes {
  readonly seconds: number
  readonly nodes: number
  readonly gpusPerNode: number
  /** Egress of a GPU within its node, and of a node, bytes/s in one direction. */
  readonly gpuBytesPerSecond: number
  readonly nodeBytesPerSecond: number
  /** The level whose links set the time. */
  readonly binding: 'node' | 'scale-out'
}

/**
 * Time of a collective over the GPUs of several nodes, without reduction in the network: AllGather, ReduceScatter and
 * AllReduce level by level (`V max_i (D_i-1)/(D_i max(Y, S_{i-1}) W_i)`), AllToAll over the egress of the nodes
 * (`V(M-1)/(M^2 W_node)`). Bandwidth only. Book ch. 12, G12, G13 and G15.
 * @param of `bytes` of the whole array; `gpus` in whole nodes; `innerShards`, ways the array stays sharded over an axis
 *   that fills nodes first
 * @throws CostInputError for a device whose node or network no source gives, and for a part of a node
 */
export function collectiveAcrossNodes(
  kind: CollectiveKind,
  device: Accelerator,
  of: { readonly bytes: number; readonly gpus: number; readonly innerShards?: number },
): AcrossNodes {
  const where = 'collectiveAcrossNodes'
  const { bytes, gpus, innerShards = 1 } = of
  requireNonNegative(where, { bytes })
  requireCount(where, { gpus, innerShards })
  const node = serverOf(device.name)
  if (node === undefined || device.scaleUpBytesPerSecond === undefined || !(nodeEgress(node) > 0)) {
    const expected = 'a device whose node and network are known'
    throw new CostInputError({ where, quantity: 'device', expected, found: device.name })
  }
  if (gpus % node.devices !== 0) {
    const expected = `whole nodes of ${node.devices}`
    throw new CostInputError({ where, quantity: 'gpus', expected, found: gpus })
  }
  const nodes = gpus / node.devices
  const gpuBytesPerSecond = collectiveLink(device, node.devices).bytesPerSecond
  const nodeBytesPerSecond = nodeEgress(node)
  const about = { nodes, gpusPerNode: node.devices, gpuBytesPerSecond, nodeBytesPerSecond }
  if (kind === 'all-to-all') {
    const { seconds } = acrossNodesAllToAll(bytes / innerShards, nodes, nodeBytesPerSecond)
    return { seconds, ...about, binding: 'scale-out' }
  }
  const inNode = { degree: node.devices, gpuBytesPerSecond }
  const levels = [inNode, { degree: nodes, gpuBytesPerSecond: nodeBytesPerSecond / node.devices }]
  const seconds = shardedTreeSeconds(kind, { bytes, innerShards, levels })
  const nodeSeconds = shardedTreeSeconds(kind, { bytes, innerShards, levels: [inNode] })
  return { seconds, ...about, binding: nodeSeconds >= seconds ? 'node' : 'scale-out' }
}
