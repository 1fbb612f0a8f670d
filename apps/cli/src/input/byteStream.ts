import { createReadStream, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { fileTrouble } from './textFile.ts'

/** The bytes of a file in pieces, unpacked when its name ends in .gz. Throws a fault for the user when it is not there. */
export function byteStream(path: string): AsyncIterable<Uint8Array> {
  try {
    statSync(path)
  } catch (error) {
    throw fileTrouble(path, error)
  }
  const bytes = createReadStream(path, { highWaterMark: 1 << 18 })
  if (!path.endsWith('.gz')) return bytes
  const unpacked = createGunzip()
  bytes.on('error', (error) => unpacked.destroy(error))
  return bytes.pipe(unpacked)
}
