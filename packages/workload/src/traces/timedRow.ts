import { setSeconds } from '@windtunnel/des'
import type { CsvCells } from './csv.ts'
import type { RowQueue, TraceRow } from './row.ts'

/** Columns of a row's time, in seconds, and of its lengths. */
export interface TimedColumns {
  readonly time: number
  readonly input: number
  readonly output: number
}

/** Adds a row with a time in seconds and both lengths. Throws a TraceError for a cell that is none. */
export function addTimedRow(rows: RowQueue, cells: CsvCells, { time, input, output }: TimedColumns): TraceRow {
  const row = rows.add(cells.line)
  setSeconds(row.time, cells.number(time))
  row.hasTime = true
  row.inputTokens = cells.whole(input)
  row.outputTokens = cells.whole(output)
  return row
}
