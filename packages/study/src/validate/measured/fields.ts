import { MeasuredRunError } from './measuredRunError.ts'

/** A JSON object of which nothing is known yet. */
export type Document = Readonly<Record<string, unknown>>

export const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object under a key; an empty one where there is none. */
export const section = (document: Document, key: string): Document => {
  const value = document[key]
  return isDocument(value) ? value : {}
}

export const list = (document: Document, key: string): readonly unknown[] => {
  const value = document[key]
  return Array.isArray(value) ? value : []
}

export function numberAt(document: Document, key: string): number | undefined {
  const value = document[key]
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'string' && value !== '' && Number.isFinite(Number(value))) return Number(value)
  return undefined
}

export function textAt(document: Document, key: string): string | undefined {
  const value = document[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A value as a message shows it. */
const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60))

export function needNumber(document: Document, key: string, where: string): number {
  const value = numberAt(document, key)
  if (value === undefined) throw new MeasuredRunError(where, `needs a number ${key}; found ${shown(document[key])}`)
  return value
}

export function needText(document: Document, key: string, where: string): string {
  const value = textAt(document, key)
  if (value === undefined) throw new MeasuredRunError(where, `needs a text ${key}; found ${shown(document[key])}`)
  return value
}

/** Parses JSON that must be an object. */
export function parseDocument(text: string, where: string): Document {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new MeasuredRunError(where, `is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isDocument(value)) throw new MeasuredRunError(where, 'is not a JSON object')
  return value
}

/** `true`, `"assumed on (default)"` and the like; undefined where nothing is said. */
export function flagAt(document: Document, key: string): boolean | undefined {
  const value = document[key]
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  return /\bon\b|true/.test(value) ? true : /\boff\b|false/.test(value) ? false : undefined
}
