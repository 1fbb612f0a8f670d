import type * as SchemaIssue from 'effect/SchemaIssue'
import { isTable, type Path, valueAt } from '../document/path.ts'
import type { Problem } from '../document/problem.ts'
import { suggestion } from '../names/near.ts'
import type { Doc } from './doc.ts'
import { docAt, expectation, keysOf } from './expectation.ts'

/** Every fault of a decoded document as a sentence: expected, found, and what to do. */
export function problemsOf(issue: SchemaIssue.Issue, doc: Doc, value: unknown): Problem[] {
  const problems: Problem[] = []
  const walk = (node: SchemaIssue.Issue, path: Path): void => {
    switch (node._tag) {
      case 'Pointer':
        walk(node.issue, [...path, ...node.path.map((key) => (typeof key === 'symbol' ? String(key) : key))])
        return
      case 'Composite':
        for (const one of node.issues) walk(one, path)
        return
      case 'Encoding':
        walk(node.issue, path)
        return
      case 'AnyOf':
        if (node.issues.length === 1 && node.issues[0] !== undefined) walk(node.issues[0], path)
        else problems.push(unfit(path, doc, value))
        return
      case 'MissingKey':
        problems.push({ path, message: missing(docAt(doc, path, value)) })
        return
      case 'UnexpectedKey':
        problems.push({ path, message: unexpected(path, doc, value) })
        return
      case 'Filter':
        problems.push(unfit(path, doc, value, ownWords(node)))
        return
      default:
        problems.push(unfit(path, doc, value))
    }
  }
  walk(issue, [])
  return problems
}

/** A check that explains itself does so with a message; else the doc of the option says what was expected. */
function ownWords(node: SchemaIssue.Filter): string | undefined {
  const inner = node.issue
  const message = inner._tag === 'InvalidValue' ? inner.annotations?.['message'] : undefined
  return typeof message === 'string' ? message : undefined
}

function missing(doc: Doc | undefined): string {
  if (doc === undefined) return 'missing; add it'
  return `missing; add ${expectation(doc)}. ${doc.sentence}`
}

function unexpected(path: Path, doc: Doc, value: unknown): string {
  const parent = path.slice(0, -1)
  const owner = docAt(doc, parent, value)
  const keys = owner === undefined ? [] : keysOf(owner, valueAt(value, parent))
  return `unknown option; ${suggestion(String(path.at(-1)), keys)}`
}

function unfit(path: Path, doc: Doc, value: unknown, words?: string): Problem {
  if (words !== undefined) return { path, message: words }
  const own = docAt(doc, path, value)
  const found = valueAt(value, path)
  if (own === undefined) return { path, message: `found ${shown(found)}, which does not fit here` }
  if (own.kind === 'variant' && isTable(found)) return unfitVariant(path, own, found)
  const names = namesOf(own)
  if (names.length > 1 && typeof found === 'string')
    return { path, message: `there is no ${shown(found)}; ${suggestion(found, names)}` }
  return { path, message: `expected ${expectation(own)}; found ${shown(found)}` }
}

/** The names that may stand at a place; empty where it takes no names. */
function namesOf(doc: Doc): string[] {
  if (doc.kind === 'choice') return [...doc.names, ...(doc.aliases ?? [])].map(String)
  return doc.kind === 'either' ? doc.options.flatMap(namesOf) : []
}

function unfitVariant(path: Path, doc: Doc & { kind: 'variant' }, found: Record<string, unknown>): Problem {
  const names = Object.keys(doc.cases)
  const name = found[doc.tag]
  const at = [...path, doc.tag]
  if (name === undefined) return { path: at, message: `missing; add ${doc.tag}: one of ${names.join(', ')}` }
  if (typeof name === 'string') return { path: at, message: `there is no ${shown(name)}; ${suggestion(name, names)}` }
  return { path: at, message: `expected one of ${names.join(', ')}; found ${shown(name)}` }
}

/** A value as a short piece of JSON. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'number' && !Number.isFinite(value) ? String(value) : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
