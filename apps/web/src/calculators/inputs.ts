import type { FieldDoc, FieldDocs } from '@windtunnel/calculators/fields/doc'

/** Inputs as they are typed: text by dotted path, such as `allReduce.algorithm`. What is not there takes its default. */
export type Typed = Readonly<Record<string, string>>

/** One input of a form. */
export interface InputField {
  path: string
  doc: FieldDoc
}

/** The inputs of a form in order; groups are opened up, unless a name can stand for them. */
export const inputFields = (docs: FieldDocs, prefix = ''): InputField[] =>
  Object.entries(docs).flatMap(([name, doc]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return doc.kind === 'group' && doc.named === undefined ? inputFields(doc.fields, path) : [{ path, doc }]
  })

const textOf = (value: unknown): string => {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Values as they would be written, as typed text. */
export const typedFrom = (
  values: Readonly<Record<string, unknown>>,
  docs: FieldDocs,
  prefix = '',
): Record<string, string> => {
  const typed: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    const doc = docs[name]
    const path = prefix === '' ? name : `${prefix}.${name}`
    const opened = doc?.kind === 'group' && doc.named === undefined && typeof value === 'object' && value !== null
    if (opened) Object.assign(typed, typedFrom(value as Record<string, unknown>, doc.fields, path))
    else if (value !== undefined) typed[path] = textOf(value)
  }
  return typed
}

/** The words that the command line would be given. */
export const wordsOf = (typed: Typed): string[] =>
  Object.entries(typed)
    .filter(([, text]) => text.trim() !== '')
    .map(([path, text]) => `${path}=${text}`)

/** What stands for an input that is left out. */
export const defaultText = (doc: FieldDoc): string => (doc.default === undefined ? '' : textOf(doc.default))
