import { type Inspection, inspectTrace } from './inspection.ts'
import { piecesOf } from './pieces.ts'

export type TraceNews =
  | { kind: 'progress'; share: number }
  | { kind: 'inspected'; inspection: Inspection }
  | { kind: 'refused'; reason: string }

const tell = (news: TraceNews): void => postMessage(news)
const pauseMilliseconds = 100

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  let told = performance.now()
  const progress = (bytes: number): void => {
    const now = performance.now()
    if (now - told < pauseMilliseconds) return
    told = now
    tell({ kind: 'progress', share: bytes / file.size })
  }
  inspectTrace(piecesOf(file, progress)).then(
    (inspection) => tell({ kind: 'inspected', inspection }),
    (cause: unknown) => tell({ kind: 'refused', reason: cause instanceof Error ? cause.message : String(cause) }),
  )
})
