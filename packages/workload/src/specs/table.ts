import { SpecError } from './errors.ts'

const show = (value: unknown): string =>
  value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)).slice(0, 60)

/** A table of a parsed YAML, TOML or JSON description, read field by field. */
export class SpecTable {
  readonly where: string
  private readonly table: Readonly<Record<string, unknown>>

  constructor(where: string, value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new SpecError(where, 'a table', show(value))
    this.where = where
    this.table = value as Readonly<Record<string, unknown>>
  }

  has(field: string): boolean {
    return this.table[field] !== undefined && this.table[field] !== null
  }

  /** A number; `byDefault` when the field is missing and a default is given. */
  number(field: string, byDefault?: number): number {
    const value = this.table[field] ?? byDefault
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.error(field, 'a number')
    return value
  }

  optionalNumber(field: string): number | undefined {
    return this.has(field) ? this.number(field) : undefined
  }

  text(field: string, byDefault?: string): string {
    const value = this.table[field] ?? byDefault
    if (typeof value !== 'string') throw this.error(field, 'a text')
    return value
  }

  flag(field: string): boolean {
    return this.table[field] === true
  }

  child(field: string): SpecTable {
    return new SpecTable(`${this.where}.${field}`, this.table[field])
  }

  optionalChild(field: string): SpecTable | undefined {
    return this.has(field) ? this.child(field) : undefined
  }

  children(field: string): SpecTable[] {
    const value = this.table[field]
    if (!Array.isArray(value)) throw this.error(field, 'a list')
    return value.map((item, i) => new SpecTable(`${this.where}.${field}[${i}]`, item))
  }

  error(field: string, expected: string): SpecError {
    return new SpecError(`${this.where}.${field}`, expected, show(this.table[field]))
  }
}
