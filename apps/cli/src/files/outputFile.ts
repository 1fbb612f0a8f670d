import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CliFault } from '../fault.ts'

/** Refuses to go on when a file is there already, unless `force`. */
export function refuseOverwrite(paths: readonly string[], force: boolean): void {
  const there = paths.filter((path) => existsSync(path))
  if (there.length > 0 && !force)
    throw new CliFault(`${there.join(', ')} exists already. Choose another place, or add --force to overwrite.`)
}

/**
 * Writes a file piece by piece under another name in the same folder, and gives it its own name only when it is whole: no
 * half file is ever seen under the final name.
 */
export async function writeWhole(path: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(draft, 'w')
    try {
      for (const piece of pieces) await file.write(typeof piece === 'string' ? Buffer.from(piece) : piece)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new CliFault(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, 1)
  }
}
