import type * as SchemaIssue from 'effect/SchemaIssue'
import { expectation, type FieldDoc } from '../fields/doc.ts'
import type { InputProblem } from './inputError.ts'

export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** A value as a short piece of JSON. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'number' && !Number.isFinite(value) ? String(value) : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

type Path = readonly PropertyKey[]

/** Every fault of a decoded value as a sentence: expected with unit and bounds, and found. */
export function problemsOf(issue: SchemaIssue.Issue, doc: FieldDoc, value: unknown): InputProblem[] {
  const problems = new Map<string, string>()
  const walk = (node: SchemaIssue.Issue, path: Path): void => {
    if (node._tag === 'Pointer') return walk(node.issue, [...path, ...node.path])
    if (node._tag === 'Composite')
      return node.issues.forEach((one) => {
        walk(one, path)
      })
    if (node._tag === 'Encoding') return walk(node.issue, path)
    const own = docAt(doc, path)
    const key = path.map(String).join('.')
    if (node._tag === 'UnexpectedKey') problems.set(key, 'there is no such input')
    else if (own === undefined) problems.set(key, `found ${shown(valueAt(value, path))}, which does not fit here`)
    else if (node._tag === 'MissingKey') problems.set(key, `missing; add ${expectation(own)}. ${own.sentence}`)
    else problems.set(key, `expected ${expectation(own)}; found ${shown(valueAt(value, path))}. ${own.sentence}`)
  }
  walk(issue, [])
  return [...problems].map(([path, message]) => ({ path, message }))
}

function docAt(doc: FieldDoc, path: Path): FieldDoc | undefined {
  const [key, ...rest] = path
  if (key === undefined) return doc
  const inner =
    doc.kind === 'group'
      ? doc.fields[String(key)]
      : doc.kind === 'list'
        ? doc.items
        : doc.kind === 'table'
          ? doc.values
          : undefined
  return inner === undefined ? undefined : docAt(inner, rest)
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value)
