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
  if (unit === undefined)
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

/** The results of a calculator, line by line; groups and tables are opened up. */
export const resultLines = (doc: FieldDoc, value: unknown, path = ''): ResultLine[] => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, one]) => {
      const inner = doc.kind === 'group' ? doc.fields[name] : doc.kind === 'table' ? doc.values : undefined
      return inner === undefined ? [] : resultLines(inner, one, path === '' ? name : `${path}.${name}`)
    })
  }
  const line = lineOf(path, doc, value)
  return line === undefined ? [] : [line]
}
