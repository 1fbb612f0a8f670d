const gzipMagic = [0x1f, 0x8b]

/** The bytes of a file in pieces, unpacked when it is gzipped. */
export async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const packed = gzipMagic.every((byte, index) => head[index] === byte)
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream()
  const reader = stream.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
}
