import { isTable, type Path } from '../document/path.ts'
import { boundsSentence, type Doc } from './doc.ts'

const quoted = (name: string | number): string => (typeof name === 'number' ? String(name) : name)

/** "a number of seconds, above 0": what a value at this place must be. */
export function expectation(doc: Doc): string {
  switch (doc.kind) {
    case 'number': {
      const range = boundsSentence(doc)
      const kind = doc.integer ? 'a whole number' : 'a number'
      return `${kind}${doc.unit === undefined ? '' : ` (${doc.unit})`}${range === '' ? '' : `, ${range}`}`
    }
    case 'boolean':
      return 'true or false'
    case 'text':
      return 'text'
    case 'choice':
      return doc.names.length === 1 ? quoted(doc.names[0]!) : `one of ${doc.names.map(quoted).join(', ')}`
    case 'list':
      return doc.minimumItems === 1 ? 'a list of one item or more' : `a list of ${doc.minimumItems} items or more`
    case 'table':
      return 'a group of named entries'
    case 'group':
      return `a group with ${Object.keys(doc.fields).join(', ')}`
    case 'variant':
      return `a group with ${doc.tag}: one of ${Object.keys(doc.cases).join(', ')}`
    case 'either':
      return doc.options.map(expectation).join(', or ')
    case 'any':
      return 'a value'
  }
}

/** The case of a variant that a value picks by its tag. */
export function caseOf(doc: Doc & { kind: 'variant' }, value: unknown): Doc | undefined {
  const name = isTable(value) ? value[doc.tag] : undefined
  return typeof name === 'string' && Object.hasOwn(doc.cases, name) ? doc.cases[name] : undefined
}

function childOf(doc: Doc, key: string | number, value: unknown): Doc | undefined {
  switch (doc.kind) {
    case 'list':
      return typeof key === 'number' ? doc.items : undefined
    case 'table':
      return doc.values
    case 'group':
      return Object.hasOwn(doc.fields, String(key)) ? doc.fields[String(key)] : undefined
    case 'variant': {
      if (key === doc.tag) return { kind: 'choice', names: Object.keys(doc.cases), sentence: `Which ${doc.tag}.` }
      const chosen = caseOf(doc, value)
      return chosen === undefined ? undefined : childOf(chosen, key, value)
    }
    case 'either':
      for (const option of doc.options) {
        const child = childOf(option, key, value)
        if (child !== undefined) return child
      }
      return undefined
    default:
      return undefined
  }
}

/** The doc of the option at `path` in a document `value`; undefined when the scenario knows no such option. */
export function docAt(doc: Doc, path: Path, value: unknown): Doc | undefined {
  let at: Doc | undefined = doc
  let current = value
  for (const key of path) {
    if (at === undefined) return undefined
    at = childOf(at, key, current)
    current = Array.isArray(current) ? current[Number(key)] : isTable(current) ? current[String(key)] : undefined
  }
  return at
}

/** The keys that may stand in a group; empty where a place takes none, or any. */
export function keysOf(doc: Doc, value: unknown): string[] {
  switch (doc.kind) {
    case 'group':
      return Object.keys(doc.fields)
    case 'variant': {
      const chosen = caseOf(doc, value)
      return chosen === undefined ? [doc.tag] : [doc.tag, ...keysOf(chosen, value)]
    }
    case 'either':
      return doc.options.flatMap((option) => keysOf(option, value))
    default:
      return []
  }
}
