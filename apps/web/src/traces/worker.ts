import { type Inspection, inspectTrace } from './inspection.ts'
import { piecesOf } from './pieces.ts'

export type TraceNews = { kind: 'inspected'; inspection: Inspection } | { kind: 'refused'; reason: string }

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
