import type { FieldDoc } from '@windtunnel/calculators/fields/doc'
import { duration, percent, type Shown, scaled, text, threeDigits } from '../format/quantity.ts'

/** One line of a result. */
export interface ResultLine {
  path: string
  sentence: string
  shown: string
  /** All digits, for those who want them. */
  exact: string
  /** The number itself, where it is one, and its unit. */
  number: number | undefined
  unit?: string | undefined
}

const readable = (value: number, unit: string | undefined): string => {
  if (!Number.isFinite(value)) return String(value)
  if (unit === 's') return text(duration(value))
  if (unit === undefined || unit === '1')
    return Number.isInteger(value)
      ? value.toLocaleString('en-US')
      : Math.abs(value) >= 1e-3
        ? threeDigits(value)
        : value.toExponential(2)
  if (unit === '%') return text(percent(value))
  const shown: Shown = /^(B|FLOP|W|J)/.test(unit)
    ? scaled(value, unit)
    : { digits: Number.isInteger(value) ? value.toLocaleString('en-US') : threeDigits(value), unit }
  return text(shown)
}

const lineOf = (path: string, doc: FieldDoc, value: unknown): ResultLine | undefined => {
  if (value === undefined) return undefined
  if (typeof value === 'number')
    return {
      path,
      sentence: doc.sentence,
      shown: readable(value, doc.unit),
      exact: `${value}${doc.unit === undefined ? '' : ` ${doc.unit}`}`,
      number: value,
      unit: doc.unit,
    }
  if (typeof value === 'boolean')
    return { path, sentence: doc.sentence, shown: value ? 'yes' : 'no', exact: String(value), number: undefined }
  if (typeof value === 'string') return { path, sentence: doc.sentence, shown: value, exact: value, number: undefined }
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      typeof item === 'number'
        ? readable(item, doc.unit)
        : typeof item === 'object'
          ? JSON.stringify(item)
          : String(item),
    )
    return {
      path,
      sentence: doc.sentence,
      shown: items.length > 12 ? `${items.slice(0, 12).join(', ')} … (${items.length})` : items.join(', '),
      exact: JSON.stringify(value),
      number: undefined,
    }
  }
  return undefined
}

/** A list of groups as a table: one row a group, one column a field. */
export interface ResultRows {
  path: string
  sentence: string
  columns: { name: string; sentence: string }[]
  rows: string[][]
}

const cellOf = (doc: FieldDoc, value: unknown): string => lineOf('', doc, value)?.shown ?? ''
/** A figure whose unit stands in a field of its own, such as a threshold on anything, is shown in that unit. */
const inOwnUnit = (doc: FieldDoc, { unit }: Record<string, unknown>): FieldDoc =>
  doc.kind === 'number' && doc.unit === '1' && typeof unit === 'string' ? { ...doc, unit } : doc
const saysNothing = new Set(['', '0', '0 s', '0 B', '1'])

/** The tables of a result; a column that is empty, nought or one in every row is left out. */
export const resultTables = (doc: FieldDoc, value: unknown): ResultRows[] => {
  if (doc.kind !== 'group' || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([path, one]): ResultRows[] => {
    const list = doc.fields[path]
    if (list?.kind !== 'list' || !Array.isArray(one) || one.length === 0) return []
    const items = list.items.kind === 'group' ? list.items.fields : undefined
    if (items === undefined) {
      if (list.items.kind !== 'text') return []
      return [{ path, sentence: list.sentence, columns: [], rows: one.map((item) => [String(item)]) }]
    }
    const cells = Object.entries(items).map(([name, field]) => ({
      name,
      sentence: field.sentence,
      column: one.map((item: Record<string, unknown>) => cellOf(inOwnUnit(field, item), item[name])),
    }))
    const kept = cells.filter(({ name, column }) => name !== 'unit' && column.some((cell) => !saysNothing.has(cell)))
    return [
      {
        path,
        sentence: list.sentence,
        columns: kept.map(({ name, sentence }) => ({ name, sentence })),
        rows: one.map((_, row) => kept.map(({ column }) => column[row] ?? '')),
      },
    ]
  })
}

/** Lists that `resultTables` shows, or that are empty. */
const isTable = (doc: FieldDoc, value: unknown): boolean =>
  doc.kind === 'list' && (doc.items.kind === 'group' || doc.items.kind === 'text') && Array.isArray(value)

/** The results of a calculator, line by line; groups and tables are opened up, lists of groups left to `resultTables`. */
export const resultLines = (doc: FieldDoc, value: unknown, path = ''): ResultLine[] => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, one]) => {
      const inner = doc.kind === 'group' ? doc.fields[name] : doc.kind === 'table' ? doc.values : undefined
      return inner === undefined ? [] : resultLines(inner, one, path === '' ? name : `${path}.${name}`)
    })
  }
  if (isTable(doc, value)) return []
  const line = lineOf(path, doc, value)
  return line === undefined ? [] : [line]
}
