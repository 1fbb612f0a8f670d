import { joined, shown } from '../edge/problems.ts'
import { expectation, type FieldDoc } from '../fields/doc.ts'

type Row = readonly [name: string, takes: string, standard: string, sentence: string]

/** Every input of a group, those of inner groups with dots: name, what it takes, its default, what it is. */
export function inputRows(doc: FieldDoc, path = ''): readonly Row[] {
  if (doc.kind !== 'group') return []
  return Object.entries(doc.fields).flatMap(([key, field]): readonly Row[] => {
    const name = joined(path, key)
    if (field.kind !== 'group') return [[name, expectation(field), standardOf(field), field.sentence]]
    const takes = field.named === undefined ? 'a group' : `${field.named.what}, or a group`
    return [[name, takes, standardOf(field), field.sentence], ...inputRows(field, name)]
  })
}

function standardOf(doc: FieldDoc): string {
  if (doc.default !== undefined)
    return doc.kind === 'group' && typeof doc.default === 'object' ? '' : shown(doc.default).replaceAll('"', '')
  return doc.optional === true ? 'may be left out' : 'required'
}

/** Inputs as they would be typed in a shell. */
export const exampleWords = (example: Readonly<Record<string, unknown>>): string =>
  Object.entries(example)
    .map(([key, value]) => {
      const text = `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`
      return /^[\w.=+,-]+$/.test(text) ? text : `'${text}'`
    })
    .join(' ')

/** One value of a calculation. */
export interface ValueRow {
  readonly name: string
  readonly value: unknown
  readonly text: string
  readonly unit: string | undefined
  readonly sentence: string
}

/** Every value that is there, those of inner groups with dots. */
export function valueRows(doc: FieldDoc, values: Readonly<Record<string, unknown>>, path = ''): readonly ValueRow[] {
  if (doc.kind !== 'group') return []
  return Object.entries(doc.fields).flatMap(([key, field]): readonly ValueRow[] => {
    const value = values[key]
    const name = joined(path, key)
    if (value === undefined || isTableOfGroups(field)) return []
    if (field.kind === 'group') return valueRows(field, value as Record<string, unknown>, name)
    return [{ name, value, text: textOf(value), unit: field.unit, sentence: field.sentence }]
  })
}

const isTableOfGroups = (doc: FieldDoc): boolean => doc.kind === 'list' && doc.items.kind === 'group'

/** A list of groups, a row each. */
export interface GroupTable {
  readonly name: string
  readonly sentence: string
  readonly columns: readonly { readonly name: string; readonly unit: string | undefined }[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Every list of groups among results, those with rows. */
export function groupTables(doc: FieldDoc, values: Readonly<Record<string, unknown>>): readonly GroupTable[] {
  if (doc.kind !== 'group') return []
  return Object.entries(doc.fields).flatMap(([name, field]): readonly GroupTable[] => {
    const found = values[name]
    if (field.kind !== 'list' || field.items.kind !== 'group' || !Array.isArray(found) || found.length === 0) return []
    const { fields } = field.items
    const columns = Object.entries(fields).map(([key, { unit }]) => ({ name: key, unit }))
    const rows = found.map((row: Record<string, unknown>) => columns.map((column) => row[column.name]))
    return [{ name, sentence: field.sentence, columns, rows }]
  })
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(textOf).join(value.some(Array.isArray) ? '; ' : ', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
