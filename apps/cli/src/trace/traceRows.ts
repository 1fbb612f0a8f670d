import { compareTime } from '@windtunnel/des'
import { type TraceCounts, TraceReader } from '@windtunnel/workload/traces/reader'
import type { TraceRow } from '@windtunnel/workload/traces/row'
import { CliFault } from '../fault.ts'
import { byteStream } from '../input/byteStream.ts'
import { readerOptions, type TraceChoices } from './traceFlags.ts'

/** A trace as it is read: its rows one by one, and, once they are all read, what became of its lines. */
export interface OpenTrace {
  /** A row is valid until the next one is asked for. */
  readonly rows: AsyncIterable<TraceRow>
  readonly counts: TraceCounts
  /** Name of the format, known after the first row. */
  format(): string | undefined
}

export function openTrace(choices: TraceChoices): OpenTrace {
  const reader = new TraceReader(readerOptions(choices))
  const rows = choices.sort ? sortedRows(reader, choices.file) : readRows(reader, choices.file)
  return { rows, counts: reader.counts, format: () => reader.format }
}

async function* readRows(reader: TraceReader, file: string): AsyncGenerator<TraceRow> {
  for await (const piece of byteStream(file)) {
    reader.push(piece)
    for (let row = reader.next(); row !== undefined; row = reader.next()) yield row
  }
  reader.end()
  for (let row = reader.next(); row !== undefined; row = reader.next()) yield row
  const { rows, badRows, zeroRows } = reader.counts
  if (rows === 0)
    throw new CliFault(
      `${file} has no rows${badRows + zeroRows > 0 ? ` but ${badRows + zeroRows} that were skipped` : ''}`,
    )
}

/** Rows in order of time; rows of one time, and rows that wait for others, stay in the order of the file. */
async function* sortedRows(reader: TraceReader, file: string): AsyncGenerator<TraceRow> {
  const groups: TraceRow[][] = []
  for await (const row of readRows(reader, file)) {
    const copy = {
      ...row,
      time: { ...row.time },
      contents: row.contents.slice(0, row.runs),
      runTokens: row.runTokens.slice(0, row.runs),
    }
    if (row.hasTime || groups.length === 0) groups.push([copy])
    else groups.at(-1)!.push(copy)
  }
  groups.sort((a, b) => compareTime(a[0]!.time, b[0]!.time))
  for (const group of groups) yield* group
}
