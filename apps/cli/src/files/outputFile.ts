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

/** What a file is made of, at once or as it comes. */
export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/**
 * Writes a file piece by piece under another name in the same folder, and gives it its own name only when it is whole: no
 * half file is ever seen under the final name.
 */
export async function writeWhole(path: string, pieces: Pieces): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(draft, 'w')
    try {
      for await (const piece of pieces) await file.write(typeof piece === 'string' ? Buffer.from(piece) : piece)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    if (error instanceof Error && '_tag' in error) throw error
    throw new CliFault(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, 1)
  }
}
