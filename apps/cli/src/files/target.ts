import { realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CliFault } from '../fault.ts'

/** Where a file is to be written. */
export interface Target {
  /** The final place: what a symbolic link points at, rather than the link. */
  readonly path: string
  /** Another name in the same folder, under which the file grows; undefined for devices and pipes, written as they are. */
  readonly draft: string | undefined
  /** Whether there is a regular file already, which would be lost. */
  readonly occupied: boolean
}

/** Looks at the place that a person names. Throws a fault for the user when it is a folder. */
export function targetOf(path: string): Target {
  const found = statsOf(path)
  if (found === undefined) return { path, draft: draftOf(path), occupied: false }
  if (found.isDirectory()) throw new CliFault(`cannot write ${path}: it is a folder; name a file in it`)
  if (!found.isFile()) return { path, draft: undefined, occupied: false }
  const real = realpathSync(path)
  return { path: real, draft: draftOf(real), occupied: true }
}

/** Undefined where nothing is, or nothing can be, as below a file. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const draftOf = (path: string): string => join(dirname(path), `.${basename(path)}.${process.pid}.part`)
