import { links } from '../links/index.ts'
import type { Node } from './node.ts'

/** Formula G5: scale-up egress of one device, links x link, bytes/s in one direction. */
export const deviceEgress = (node: Node): number => node.deviceLinks * node.linkBytesPerSecond

/** All the switches of the node together, bytes/s in one direction; undefined without switches. */
export const switchBandwidth = (node: Node): number | undefined =>
  node.switches === undefined
    ? undefined
    : node.switches.count * node.switches.portsEach * node.switches.portBytesPerSecond

/** Formula G6: what the node's devices can send each other at once: min(switches x ports x link, devices x egress). */
export const nodeBandwidth = (node: Node): number =>
  Math.min(switchBandwidth(node) ?? Number.POSITIVE_INFINITY, node.devices * deviceEgress(node))

/** Formula G7: both directions across the middle of a switched node, devices x egress. */
export const nodeBisection = (node: Node): number => {
  if (node.wiring !== 'full-mesh') return node.devices * deviceEgress(node)
  const half = Math.floor(node.devices / 2)
  const linksPerPeer = node.deviceLinks / (node.devices - 1)
  return 2 * half * (node.devices - half) * linksPerPeer * node.linkBytesPerSecond
}

/** Formulas G24 and G25: what the node's network cards send out of it, bytes/s in one direction. */
export const nodeEgress = (node: Node): number => node.networkCards * links[node.networkLink].bytesPerSecond.value

/** The share of one device in its node's network cards, bytes/s in one direction. */
export const deviceNetworkEgress = (node: Node): number => nodeEgress(node) / node.devices
