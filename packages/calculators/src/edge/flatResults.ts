import type { FieldDoc } from '../fields/doc.ts'
import { snakeCase } from './names.ts'
import { isTable } from './problems.ts'

/** One number or word of a result. Yes is 1, no is 0. */
export type FlatValue = number | string

/**
 * Results by the names that case files use: `timeSeconds` as `time_s`, the third of `done` as `done_2`, yes as 1. Fields
 * known by other names are there under those too.
 */
export function flatResults(doc: FieldDoc, value: unknown): ReadonlyMap<string, FlatValue> {
  const flat = new Map<string, FlatValue>()
  if (doc.kind === 'group' && isTable(value)) {
    for (const [name, field] of Object.entries(doc.fields)) {
      for (const known of [name, ...(field.also ?? [])]) add(flat, field, snakeCase(known), value[name])
    }
  }
  return flat
}

function add(into: Map<string, FlatValue>, doc: FieldDoc, name: string, value: unknown): void {
  if (value === undefined) return
  if (typeof value === 'boolean') into.set(name, value ? 1 : 0)
  else if (typeof value === 'number' || typeof value === 'string') into.set(name, value)
  else if (Array.isArray(value)) {
    const items = doc.kind === 'list' ? doc.items : doc
    value.forEach((item, at) => {
      add(into, items, `${name}_${at}`, item)
    })
  } else if (isTable(value)) {
    for (const [key, one] of Object.entries(value)) add(into, fieldOf(doc, key), `${name}_${snakeCase(key)}`, one)
  }
}

const fieldOf = (doc: FieldDoc, key: string): FieldDoc =>
  (doc.kind === 'group' ? doc.fields[key] : doc.kind === 'table' ? doc.values : undefined) ?? doc
