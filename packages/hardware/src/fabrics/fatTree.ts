import { deviceEgress, nodeBandwidth, nodeEgress, switchBandwidth } from '../nodes/bandwidth.ts'
import { type NodeName, nodes } from '../nodes/index.ts'

/** Nodes joined by leaf and spine switches (and core switches above). Ports and cables carry `linkBytesPerSecond`. */
export interface FatTree<Name extends string = string> {
  readonly name: Name
  readonly title: string
  readonly node: NodeName
  /** Scalable units; the nodes of one share their leaves. */
  readonly units: number
  readonly nodesPerUnit: number
  readonly leavesPerUnit: number
  readonly spines: number
  readonly cores: number
  readonly switchPorts: number
  /** Cable and port of the leaf and spine switches, one direction. */
  readonly linkBytesPerSecond: number
  /** Cables between each leaf and each spine it reaches; undefined where a leaf reaches only some spines. */
  readonly cablesPerLeafSpine: number | undefined
  readonly source: string
}

/** Keeps the literal type of the name, so that the registry can derive the union of names. */
export const defineFatTree = <const Name extends string>(tree: FatTree<Name>): FatTree<Name> => tree

/** One level of a tree. Bandwidths are in bytes/s in one direction. */
export interface TreeLevel {
  readonly level: 'node' | 'unit' | 'spine'
  /** Devices in one sub-tree of this level. */
  readonly devices: number
  /** Sub-trees of the level below that meet here. */
  readonly degree: number
  /** All ports of the switches of one sub-tree; undefined where the node has no switch. */
  readonly switchBytesPerSecond: number | undefined
  /** What its children can send up together. */
  readonly cableBytesPerSecond: number
  /** What one device can send to a device that it meets only here. */
  readonly deviceBytesPerSecond: number
  /** What one child can send up, all its links together (W_i of formula G12). */
  readonly childBytesPerSecond: number
  /** What a collective over whole nodes can use at this level: egress of a device in the node, of a node above. */
  readonly collectiveBytesPerSecond: number
}

export const treeDevices = (tree: FatTree): number => tree.units * tree.nodesPerUnit * nodes[tree.node].devices

export const treeNodes = (tree: FatTree): number => tree.units * tree.nodesPerUnit

/** Switches of the whole tree, those inside the nodes included. */
export const treeSwitches = (tree: FatTree): number =>
  treeNodes(tree) * (nodes[tree.node].switches?.count ?? 0) + tree.units * tree.leavesPerUnit + tree.spines + tree.cores

/** Egress of one unit towards the spines: leaves x spines x cables x link, or half the leaf ports (formula G24). */
export const unitEgress = (tree: FatTree): number =>
  tree.leavesPerUnit *
  (tree.cablesPerLeafSpine === undefined ? tree.switchPorts / 2 : tree.spines * tree.cablesPerLeafSpine) *
  tree.linkBytesPerSecond

/** Both directions across the middle of the tree: twice what half the units send up. */
export const treeBisection = (tree: FatTree): number => {
  const spineHalf = (tree.units / 2) * unitEgress(tree)
  return 2 * Math.min(spineHalf, (treeNodes(tree) / 2) * nodeEgress(nodes[tree.node]))
}

const nodeLevel = (tree: FatTree): TreeLevel => {
  const node = nodes[tree.node]
  return {
    level: 'node',
    devices: node.devices,
    degree: node.devices,
    switchBytesPerSecond: switchBandwidth(node),
    cableBytesPerSecond: nodeBandwidth(node),
    deviceBytesPerSecond: deviceEgress(node),
    childBytesPerSecond: deviceEgress(node),
    collectiveBytesPerSecond: deviceEgress(node),
  }
}

const unitLevel = (tree: FatTree): TreeLevel => {
  const node = nodes[tree.node]
  return {
    level: 'unit',
    devices: tree.nodesPerUnit * node.devices,
    degree: tree.nodesPerUnit,
    switchBytesPerSecond: tree.leavesPerUnit * tree.switchPorts * tree.linkBytesPerSecond,
    cableBytesPerSecond: tree.nodesPerUnit * nodeEgress(node),
    deviceBytesPerSecond: nodeEgress(node) / node.devices,
    childBytesPerSecond: nodeEgress(node),
    collectiveBytesPerSecond: nodeEgress(node),
  }
}

const spineLevel = (tree: FatTree): TreeLevel => {
  const node = nodes[tree.node]
  const perNode = Math.min(nodeEgress(node), unitEgress(tree) / tree.nodesPerUnit)
  return {
    level: 'spine',
    devices: treeDevices(tree),
    degree: tree.units,
    switchBytesPerSecond: tree.spines * tree.switchPorts * tree.linkBytesPerSecond,
    cableBytesPerSecond: tree.units * unitEgress(tree),
    deviceBytesPerSecond: perNode / node.devices,
    childBytesPerSecond: unitEgress(tree),
    collectiveBytesPerSecond: perNode,
  }
}

/** The levels of the tree from the node up, derived (formulas G5, G6, G24, G25); a tree without spines ends at the unit. */
export const treeLevels = (tree: FatTree): readonly TreeLevel[] =>
  tree.spines === 0 ? [nodeLevel(tree), unitLevel(tree)] : [nodeLevel(tree), unitLevel(tree), spineLevel(tree)]
