import { UnknownName } from '../unknownName.ts'
import * as all from './all.ts'
import type { FatTree } from './fatTree.ts'

/** Names of the registered fabrics. */
export type FabricName = (typeof all)[keyof typeof all]['name']

/** The registered fabrics by name. */
export const fabrics = Object.fromEntries(Object.values(all).map((fabric) => [fabric.name, fabric])) as Readonly<
  Record<FabricName, FatTree>
>

export const fabricNames = Object.keys(fabrics).sort() as readonly FabricName[]

/** The fabric of that name. Throws `UnknownName` with the near ones. */
export const fabric = (name: string): FatTree => {
  const found = Object.values(fabrics).find((candidate) => candidate.name === name.toLowerCase())
  if (found === undefined) throw new UnknownName('fabric', name, fabricNames)
  return found
}
