import type { AcceleratorName } from '../accelerators/index.ts'
import type { LinkName } from '../links/index.ts'
import type { Quantity } from '../quantity.ts'

/** Switches inside a node; `portsEach` of one switch, each `portBytesPerSecond` in one direction. */
export interface NodeSwitches {
  readonly count: number
  readonly portsEach: number
  readonly portBytesPerSecond: number
  /** The switches can add up what passes them (NVIDIA SHARP), so an all-reduce moves each array once in and once out. */
  readonly reduces: boolean
}

/** Devices that share one scale-up domain: a server of 8, a rack of 72, a host of TPUs. */
export interface Node<Name extends string = string> {
  readonly name: Name
  readonly title: string
  readonly accelerators: readonly AcceleratorName[]
  readonly devices: number
  /** How the devices reach each other: through switches, directly (all to all), in a torus, or over PCIe and the host. */
  readonly wiring: 'switched' | 'full-mesh' | 'torus' | 'pcie'
  readonly switches?: NodeSwitches
  /** Scale-up egress of one device, one direction, in bytes/s: links x link. */
  readonly deviceLinks: number
  readonly linkBytesPerSecond: number
  /** Network cards of the node, each of that link. */
  readonly networkCards: number
  readonly networkLink: LinkName
  readonly cpus?: Quantity<'1'>
  readonly hostDramBytes?: Quantity<'B'>
  readonly powerWatts?: Quantity<'W'>
  /** Name of the server whose devices reach each other without a network, where the node is a part of one. */
  readonly within?: string
  readonly source: string
}

/** Keeps the literal type of the name, so that the registry can derive the union of names. */
export const defineNode = <const Name extends string>(node: Node<Name>): Node<Name> => node
