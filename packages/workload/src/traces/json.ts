import { shown, TraceError } from './errors.ts'

export type JsonTable = Readonly<Record<string, unknown>>

export const isTable = (value: unknown): value is JsonTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A JSON object with a place in a file, read field by field. Errors name line, column and field. */
export class JsonRecord {
  readonly format: string
  readonly line: number
  readonly table: JsonTable
  private readonly text: string
  private readonly path: string

  constructor(format: string, line: number, table: JsonTable, text: string, path = '') {
    this.format = format
    this.line = line
    this.table = table
    this.text = text
    this.path = path
  }

  static parse(format: string, text: string, line: number): JsonRecord {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      const at = /position (\d+)/.exec(String(error))
      throw new TraceError(
        format,
        { line, column: at === null ? 1 : Number(at[1]) + 1 },
        'a JSON object',
        `broken JSON ${shown(text)}`,
      )
    }
    if (!isTable(value)) throw new TraceError(format, { line, column: 1 }, 'a JSON object', shown(text))
    return new JsonRecord(format, line, value, text)
  }

  has(field: string): boolean {
    return this.table[field] !== undefined && this.table[field] !== null
  }

  /** A whole number >= 0. */
  whole(field: string): number {
    const value = this.table[field]
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
    return this.fail(field, 'a whole number of at least 0')
  }

  /** A number >= 0; `text` also takes it as a text ("82"). */
  number(field: string, text = false): number {
    const value = this.table[field]
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
    if (text && typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) return Number(value)
    return this.fail(field, 'a number of at least 0')
  }

  textOf(field: string): string {
    const value = this.table[field]
    return typeof value === 'string' ? value : this.fail(field, 'a text')
  }

  /** A text or a number, as a text: an identifier. */
  name(field: string): string {
    const value = this.table[field]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : this.fail(field, 'a name')
  }

  list(field: string): readonly unknown[] {
    const value = this.table[field]
    return Array.isArray(value) ? value : this.fail(field, 'a list')
  }

  record(field: string): JsonRecord {
    const value = this.table[field]
    return isTable(value)
      ? new JsonRecord(this.format, this.line, value, this.text, `${this.path}${field}.`)
      : this.fail(field, 'a table')
  }

  records(field: string): JsonRecord[] {
    return this.list(field).map((value, i) =>
      isTable(value)
        ? new JsonRecord(this.format, this.line, value, this.text, `${this.path}${field}[${i}].`)
        : this.fail(field, 'a list of tables'),
    )
  }

  fail(field: string, expected: string): never {
    const value = this.table[field]
    const found = value === undefined ? 'nothing' : shown(JSON.stringify(value))
    const at = value === undefined ? -1 : this.text.indexOf(`"${field}"`)
    throw new TraceError(this.format, { line: this.line, column: at + 1, field: this.path + field }, expected, found)
  }
}
