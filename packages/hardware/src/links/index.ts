import { UnknownName } from '../unknownName.ts'
import * as all from './all.ts'
import type { Link } from './link.ts'

/** Names of the registered links. */
export type LinkName = (typeof all)[keyof typeof all]['name']

/** The registered links by name. */
export const links = Object.fromEntries(Object.values(all).map((link) => [link.name, link])) as Readonly<
  Record<LinkName, Link>
>

export const linkNames = Object.keys(links).sort() as readonly LinkName[]

/** The link of that name. Throws `UnknownName` with the near ones. */
export const link = (name: string): Link => {
  const found = Object.values(links).find((candidate) => candidate.name === name.toLowerCase())
  if (found === undefined) throw new UnknownName('link', name, linkNames)
  return found
}
