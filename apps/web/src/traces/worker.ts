import { type Inspection, inspectTrace } from './inspection.ts'

export type TraceNews = { kind: 'inspected'; inspection: Inspection } | { kind: 'refused'; reason: string }

const gzipMagic = [0x1f, 0x8b]

async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const packed = gzipMagic.every((byte, index) => head[index] === byte)
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream()
  const reader = stream.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
}

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  inspectTrace(piecesOf(file)).then(
    (inspection) => postMessage({ kind: 'inspected', inspection } satisfies TraceNews),
    (cause: unknown) =>
      postMessage({
        kind: 'refused',
        reason: cause instanceof Error ? cause.message : String(cause),
      } satisfies TraceNews),
  )
})
