import type { Quantity } from '../quantity.ts'

/** A way between two devices, or between a device and a host or a network. */
export interface Link<Name extends string = string> {
  readonly name: Name
  readonly title: string
  /** One direction of one link (a port, a x16 slot, a network card). */
  readonly bytesPerSecond: Quantity<'B/s'>
  /** From one end to the other, for a message of no size; absent where no source gives it. */
  readonly latencySeconds?: Quantity<'s'>
}

/** Keeps the literal type of the name, so that the registry can derive the union of names. */
export const defineLink = <const Name extends string>(link: Link<Name>): Link<Name> => link
