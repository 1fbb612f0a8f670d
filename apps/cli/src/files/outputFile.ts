import { CliFault } from '../fault.ts'
import { DraftFile } from './draftFile.ts'
import { requireWritable } from './folder.ts'
import { targetOf } from './target.ts'

/** Refuses to go on when a file is there already, unless `force`; when a folder is; and when nothing can be written. */
export function refuseOverwrite(paths: readonly string[], force: boolean): void {
  const there = paths.filter((path) => targetOf(path).occupied)
  if (there.length > 0 && !force)
    throw new CliFault(`${there.join(', ')} exists already. Choose another place, or add --force to overwrite.`)
  paths.forEach(requireWritable)
}

/** What a file is made of, at once or as it comes. */
export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** Writes a file piece by piece; no half file is ever seen under the final name. */
export async function writeWhole(path: string, pieces: Pieces): Promise<void> {
  const file = new DraftFile(path)
  try {
    for await (const piece of pieces) {
      if (typeof piece === 'string') file.write(piece)
      else file.writeBytes(piece)
    }
    file.keep()
  } catch (error) {
    file.drop()
    throw error
  }
}
