import { readFile } from 'node:fs/promises'
import { CliFault } from '../fault.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}

/** The words for an error of the file system. */
export function fileTrouble(path: string, error: unknown): CliFault {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return new CliFault(
    `cannot read ${path}: ${reasons[code] ?? (error instanceof Error ? error.message : String(error))}`,
  )
}

export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw fileTrouble(path, error)
  }
}
