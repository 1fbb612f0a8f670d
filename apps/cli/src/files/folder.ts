import { accessSync, closeSync, constants, mkdirSync, openSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CliFault } from '../fault.ts'
import { targetOf } from './target.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only file system',
  ENOENT: 'nothing can be made there',
  ENOTDIR: 'a file stands where a folder should',
  EEXIST: 'a file stands where a folder should',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'no space is left',
}

/** The words for an error of the file system. Exit code 2: the place is bad; 1: it turned bad while it was written. */
export function writeTrouble(path: string, error: unknown, exitCode: 1 | 2): CliFault {
  if (error instanceof CliFault) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const reason = reasons[code] ?? (error instanceof Error ? error.message : String(error))
  return new CliFault(`cannot write ${path}: ${reason}`, exitCode)
}

/**
 * Makes a folder and those above it; returns those that were not there, outermost first. One by one: some systems say "no
 * such file" for ever where nothing can be made, as under /proc.
 */
export function makeFolder(path: string): readonly string[] {
  const missing: string[] = []
  for (let at = path; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) {
    missing.unshift(at)
    if (dirname(at) === at) break
  }
  const made: string[] = []
  try {
    for (const folder of missing) {
      mkdirSync(folder)
      made.push(folder)
    }
  } catch (error) {
    removeFolders(made)
    throw error
  }
  return made
}

const removeFolders = (made: readonly string[]): void => {
  for (const folder of made.toReversed()) rmdirSync(folder)
}

/** Throws a fault for the user when nothing can be written at this place; leaves it as it was. */
export function requireWritable(path: string): void {
  const { draft } = targetOf(path)
  try {
    // A pipe must not be opened twice: its reader would see the end of it.
    if (draft === undefined) return accessSync(path, constants.W_OK)
    const made = makeFolder(dirname(path))
    try {
      closeSync(openSync(draft, 'w'))
      rmSync(draft)
    } finally {
      removeFolders(made)
    }
  } catch (error) {
    throw writeTrouble(path, error, 2)
  }
}
