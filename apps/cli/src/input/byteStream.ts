import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { CliFault } from '../fault.ts'
import { fileTrouble } from './textFile.ts'

/** The bytes of a file in pieces; a gzip file is unpacked. Throws a fault for the user when it cannot be read. */
export function byteStream(path: string): AsyncIterable<Uint8Array> {
  const packed = isPacked(path)
  const bytes = createReadStream(path, { highWaterMark: 1 << 18 })
  if (!packed) return bytes
  const unpacked = createGunzip()
  bytes.on('error', (error) => unpacked.destroy(error))
  return piecesOf(path, bytes.pipe(unpacked))
}

async function* piecesOf(path: string, unpacked: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* unpacked
  } catch (error) {
    throw new CliFault(`cannot unpack ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Whether a regular file begins with the two bytes of gzip. */
function isPacked(path: string): boolean {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) throw new CliFault(`cannot read ${path}: it is a folder`)
    if (!stats.isFile()) return path.endsWith('.gz')
    const file = openSync(path, 'r')
    try {
      const head = new Uint8Array(2)
      readSync(file, head, 0, 2, 0)
      return head[0] === 0x1f && head[1] === 0x8b
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw error instanceof CliFault ? error : fileTrouble(path, error)
  }
}
