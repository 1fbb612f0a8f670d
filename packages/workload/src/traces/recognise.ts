import { UnknownTrace } from './errors.ts'
import type { TraceFormat, TraceHead } from './format.ts'
import { type TraceFormatName, traceFormats } from './formats/index.ts'
import { isTable } from './json.ts'

/** Characters from the start of a trace that tell its format. */
export const HEAD_LENGTH = 65536

export function traceHead(text: string): TraceHead {
  const firstLine =
    (text.startsWith('\uFEFF') ? text.slice(1) : text)
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.replace(/\r$/, '') ?? ''
  let json: unknown
  try {
    json = firstLine.startsWith('{') ? JSON.parse(firstLine) : undefined
  } catch {
    json = undefined
  }
  return { firstLine, json: isTable(json) ? json : undefined, text: text.slice(0, HEAD_LENGTH) }
}

/** The format of a trace that begins with `text` (at least a whole first line). Throws UnknownTrace. */
export function recogniseTrace(text: string): TraceFormat<TraceFormatName> {
  const head = traceHead(text)
  for (const format of Object.values(traceFormats)) if (format.recognises(head)) return format
  throw new UnknownTrace(head.firstLine, Object.keys(traceFormats))
}

/** The format of a document that begins with `text`, its first line perhaps cut; undefined for formats made of lines. */
export function recogniseDocument(text: string): TraceFormat<TraceFormatName> | undefined {
  const head = traceHead(text)
  return Object.values(traceFormats).find((format) => format.recognises(head) && 'document' in format.open({}))
}
