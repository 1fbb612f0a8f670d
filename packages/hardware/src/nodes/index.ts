import { UnknownName } from '../unknownName.ts'
import * as all from './all.ts'
import type { Node } from './node.ts'

/** Names of the registered nodes. */
export type NodeName = (typeof all)[keyof typeof all]['name']

/** The registered nodes by name. */
export const nodes = Object.fromEntries(Object.values(all).map((node) => [node.name, node])) as Readonly<
  Record<NodeName, Node>
>

export const nodeNames = Object.keys(nodes).sort() as readonly NodeName[]

/** The node of that name. Throws `UnknownName` with the near ones. */
export const node = (name: string): Node => {
  const found = Object.values(nodes).find((candidate) => candidate.name === name.toLowerCase())
  if (found === undefined) throw new UnknownName('node', name, nodeNames)
  return found
}

/** The node that an accelerator usually sits in; undefined for TPUs, whose neighbours depend on the slice. */
export const nodeOf = (acceleratorName: string): Node | undefined =>
  Object.values(nodes).find((candidate) => candidate.accelerators.some((name) => name === acceleratorName))

/**
 * The server that an accelerator usually sits in: its node, or what holds that, such as eight cards on PCIe of which pairs
 * have a bridge. Undefined where no node is known.
 */
export const serverOf = (acceleratorName: string): Node | undefined => {
  const inner = nodeOf(acceleratorName)
  return inner?.within === undefined ? inner : node(inner.within)
}
