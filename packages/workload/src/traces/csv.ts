import { shown, TraceError, TraceHeaderError } from './errors.ts'
import type { LineParser } from './format.ts'
import type { RowQueue } from './row.ts'

/** The fields of one CSV line, with quotes taken off; written into `into`, whose length is set. */
export function splitCsv(text: string, into: string[]): void {
  let count = 0
  let at = 0
  for (;;) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1)
      into[count++] = text.slice(at + 1, end).replaceAll('""', '"')
      at = text.indexOf(',', end)
    } else {
      const comma = text.indexOf(',', at)
      into[count++] = comma < 0 ? text.slice(at) : text.slice(at, comma)
      at = comma
    }
    if (at < 0) break
    at++
  }
  into.length = count
}

function closingQuote(text: string, from: number): number {
  let at = from
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length
    if (text[quote + 1] !== '"') return quote
    at = quote + 2
  }
}

/** The cells of the line at hand, read by column name. Errors name line, column and field. */
export class CsvCells {
  readonly format: string
  private readonly names: readonly string[]
  readonly fields: string[] = []
  line = 0
  private text = ''

  constructor(format: string, names: readonly string[]) {
    this.format = format
    this.names = names
  }

  read(text: string, line: number): void {
    this.text = text
    this.line = line
    splitCsv(text, this.fields)
    if (this.fields.length !== this.names.length) {
      const counted = `${this.fields.length} field${this.fields.length === 1 ? '' : 's'}`
      throw new TraceError(this.format, { line }, `${this.names.length} fields (${this.names.join(', ')})`, counted)
    }
  }

  /** Position of a column by name; undefined when the file has none. */
  find(name: string): number | undefined {
    const at = this.names.indexOf(name)
    return at < 0 ? undefined : at
  }

  textOf(column: number): string {
    return this.fields[column]!
  }

  /** A whole number >= 0; "12" or "12.0". */
  whole(column: number): number {
    const text = this.fields[column]!
    const value = digits(text)
    if (value !== undefined) return value
    const number = /^\s*\d+(\.0*)?\s*$/.test(text) ? Number(text) : Number.NaN
    if (Number.isSafeInteger(number)) return number
    return this.fail(column, 'a whole number of at least 0')
  }

  /** A number >= 0. */
  number(column: number): number {
    const text = this.fields[column]!
    const value = /^\s*\+?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/.test(text) ? Number(text) : Number.NaN
    if (Number.isFinite(value)) return value
    return this.fail(column, 'a number of at least 0')
  }

  fail(column: number, expected: string): never {
    let at = 0
    for (let i = 0; i < column; i++) at = this.text.indexOf(',', at) + 1
    throw new TraceError(
      this.format,
      { line: this.line, column: at + 1, field: this.names[column]! },
      expected,
      shown(this.fields[column]!),
    )
  }
}

/** Up to 9 plain digits as a number; undefined for anything else. */
function digits(text: string): number | undefined {
  const { length } = text
  if (length === 0 || length > 9) return undefined
  let value = 0
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

/** Names of the columns in a header line. */
export function headerNames(text: string): string[] {
  const names: string[] = []
  splitCsv(text, names)
  return names.map((name) => name.trim())
}

/**
 * A parser of CSV with a header: columns are found by name, in any order; `required` ones must be there, others are
 * passed over. `row` is called with the cells of each line.
 */
export function csvParser(
  format: string,
  required: readonly string[],
  start: (cells: CsvCells) => (cells: CsvCells, rows: RowQueue) => void,
): LineParser {
  let cells: CsvCells | undefined
  let row: ((cells: CsvCells, rows: RowQueue) => void) | undefined
  return {
    line: (text, line, rows) => {
      if (cells === undefined || row === undefined) {
        const names = headerNames(text)
        const missing = required.filter((name) => !names.includes(name))
        if (missing.length > 0) {
          throw new TraceHeaderError(
            format,
            { line },
            `a header with the columns ${required.join(', ')}`,
            `${shown(text)} (no ${missing.join(', ')})`,
          )
        }
        cells = new CsvCells(format, names)
        row = start(cells)
        return
      }
      cells.read(text, line)
      row(cells, rows)
    },
  }
}
