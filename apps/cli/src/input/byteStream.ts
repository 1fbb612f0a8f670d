import { open } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { createGunzip, type Gunzip } from 'node:zlib'
import { CliFault } from '../fault.ts'
import { fileTrouble } from './textFile.ts'

/** Small pieces keep the memory of a long file low; larger ones are no faster. */
const PIECE_BYTES = 65_536
const UNPACKED_BYTES = 16_384

/**
 * The bytes of a file, or of a pipe, in pieces; gzip is unpacked, whatever the name. A piece is valid until the next is
 * asked for. Throws a fault for the user when the file cannot be read.
 */
export async function* byteStream(path: string): AsyncGenerator<Uint8Array> {
  keepYoungGenerationSmall()
  const pieces = piecesOf(path)
  try {
    const first = await pieces.next()
    if (first.done === true) return
    if (first.value[0] === 0x1f && first.value[1] === 0x8b) yield* unpacked(path, first.value, pieces)
    else {
      yield first.value
      yield* pieces
    }
  } finally {
    await pieces.return(undefined)
  }
}

/**
 * Rows are short-lived: a young generation that does not grow collects them as fast, and keeps a run of millions of rows
 * below 200 MB.
 */
function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Reads into one buffer that is used again for every piece. */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(PIECE_BYTES)
  const trouble = (error: unknown): never => {
    throw fileTrouble(path, error)
  }
  const file = await open(path, 'r').catch(trouble)
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES).catch(trouble)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function* unpacked(
  path: string,
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const bytes = createGunzip({ chunkSize: UNPACKED_BYTES })
  const fed = feed(bytes, first, rest)
  try {
    yield* bytes
    await fed
  } catch (error) {
    if (error instanceof CliFault) throw error
    throw new CliFault(`cannot unpack ${path}: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    bytes.destroy()
  }
}

/** Gives the unpacker one piece after the other; each is used up before the next is read into the same buffer. */
async function feed(bytes: Gunzip, first: Uint8Array, rest: AsyncGenerator<Uint8Array>): Promise<void> {
  try {
    await taken(bytes, first)
    for await (const piece of rest) await taken(bytes, piece)
    bytes.end()
  } catch (error) {
    bytes.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

/** Resolves when the unpacker is done with a piece, or is no more: then its reader knows why. */
const taken = (bytes: Gunzip, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    bytes.write(piece, (error) => (error ? reject(error) : resolve()))
  })
