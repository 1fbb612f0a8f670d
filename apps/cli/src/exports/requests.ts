import type { ColumnSource } from 'hyparquet-writer'
import type { ExportKind } from './exportKind.ts'
import { REQUEST_COLUMNS, type RequestRow, RequestRows } from './requestRows.ts'

const classesOf = (objectives: readonly { readonly serviceClass: string }[]): string[] =>
  objectives.map((objective) => objective.serviceClass)

/** A CSV cell; service classes are names that need no quotes unless they hold a comma, a quote or a line end. */
const cell = (value: string | number | undefined): string => {
  if (typeof value === 'string' && /[",\n\r]/.test(value)) return `"${value.replaceAll('"', '""')}"`
  return value === undefined ? '' : String(value)
}

export const requestsCsv: ExportKind = {
  name: 'requests-csv',
  description: 'one line a request: times, phases and ending',
  start(run, file) {
    file.write(`${REQUEST_COLUMNS.join(',')}\n`)
    const line = (row: RequestRow): void => file.write(`${REQUEST_COLUMNS.map((name) => cell(row[name])).join(',')}\n`)
    return { reader: new RequestRows(classesOf(run.objectives), line), finish: () => {} }
  },
}

export const requestsJsonl: ExportKind = {
  name: 'requests-jsonl',
  description: 'the same, one JSON object a line',
  start(run, file) {
    const line = (row: RequestRow): void => file.write(`${JSON.stringify(row)}\n`)
    return { reader: new RequestRows(classesOf(run.objectives), line), finish: () => {} }
  },
}

const PARQUET_TYPES: Partial<Record<keyof RequestRow, ColumnSource['type']>> = {
  service_class: 'STRING',
  ending: 'STRING',
  request: 'INT32',
  tenant: 'INT32',
  replica: 'INT32',
  input_tokens: 'INT32',
  output_tokens: 'INT32',
  cached_tokens: 'INT32',
  preemptions: 'INT32',
}

export const requestsParquet: ExportKind = {
  name: 'requests-parquet',
  description: 'the same as a Parquet file (the rows are held in memory until the end)',
  start(run, file) {
    const columns = REQUEST_COLUMNS.map((name) => ({
      name,
      data: [] as unknown[],
      type: PARQUET_TYPES[name] ?? ('DOUBLE' as const),
    }))
    const reader = new RequestRows(classesOf(run.objectives), (row) => {
      for (const column of columns) column.data.push(row[column.name] ?? null)
    })
    return {
      reader,
      async finish() {
        const { parquetWriteBuffer } = await import('hyparquet-writer')
        const columnData = columns.map((column) => ({ ...column, nullable: true }))
        file.writeBytes(new Uint8Array(parquetWriteBuffer({ columnData })))
      },
    }
  },
}
