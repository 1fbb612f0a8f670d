import { createReadStream } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { isGzip } from '@windtunnel/workload/traces/lines'
import { CliFault, fileSentence } from '../fault.ts'

/** The words for an error of the file system. */
export const fileTrouble = (path: string, error: unknown): CliFault =>
  new CliFault(error instanceof Error ? fileSentence(error, path) : `cannot read ${path}: ${String(error)}`)

const MEBIBYTE = 2 ** 20
/** Nothing that is read as one text is as long: a configuration, a log of commands. */
const MOST_MEBIBYTES = 64

/** A whole file, or all that a pipe gives, as UTF-8 text; gzip is unpacked, whatever the name. Throws a fault for the user when it cannot be, or is too long. */
export async function readTextFile(path: string, { mostMebibytes = MOST_MEBIBYTES } = {}): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of createReadStream(path)) {
      pieces.push(piece)
      length += piece.length
      if (length > mostMebibytes * MEBIBYTE)
        throw new CliFault(`cannot read ${path}: it is longer than ${mostMebibytes} MiB, which none of its kind is`)
    }
  } catch (error) {
    throw error instanceof CliFault ? error : fileTrouble(path, error)
  }
  const bytes = Buffer.concat(pieces)
  return (isGzip(bytes) ? unpacked(path, bytes, mostMebibytes) : bytes).toString('utf8')
}

function unpacked(path: string, bytes: Buffer, mostMebibytes: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: mostMebibytes * MEBIBYTE })
  } catch (error) {
    throw new CliFault(`cannot unpack ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
