const gzipMagic = [0x1f, 0x8b]

/** The bytes of a file in pieces, unpacked when it is gzipped. `onRead` is told how many bytes of the file are read. */
export async function* piecesOf(file: File, onRead?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const packed = gzipMagic.every((byte, index) => head[index] === byte)
  let bytes = 0
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (piece, controller) => {
        bytes += piece.length
        onRead?.(bytes)
        controller.enqueue(piece)
      },
    }),
  )
  const reader = (packed ? counted.pipeThrough(new DecompressionStream('gzip')) : counted).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
}
