import type { Doc } from '../schema/doc.ts'
import { caseOf } from '../schema/expectation.ts'
import { isTable } from './path.ts'

/**
 * A copy of a document in which every bare name that stands for a group is written out: `router: roundRobin` becomes
 * `router: { name: round-robin }`; `leastLoaded` and `least-loaded` are the same name. What does not fit the doc is copied as it is, for the schema to complain about.
 */
export function expandShorthand(value: unknown, doc: Doc): unknown {
  switch (doc.kind) {
    case 'variant': {
      const whole = namedCase(doc, typeof value === 'string' ? { [doc.tag]: value } : value)
      const chosen = caseOf(doc, whole)
      return chosen === undefined ? whole : expandShorthand(whole, chosen)
    }
    case 'choice':
      return typeof value === 'string' ? registered(value, doc.names) : value
    case 'group':
      return isTable(value)
        ? mapFields(value, (key) => (Object.hasOwn(doc.fields, key) ? doc.fields[key] : undefined))
        : value
    case 'table':
      return isTable(value) ? mapFields(value, () => doc.values) : value
    case 'list':
      return Array.isArray(value) ? value.map((item) => expandShorthand(item, doc.items)) : value
    default:
      return value
  }
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, '')

/** The name of the registry that is spelt like `name` but for case and dashes; else `name`. */
function registered(name: string, names: readonly (string | number)[]): string {
  if (names.includes(name)) return name
  const same = names.filter((known) => typeof known === 'string' && bare(known) === bare(name))
  return same.length === 1 ? String(same[0]) : name
}

/** The name that stands when an option of the default kind is given without its name. */
const defaultName = (doc: Doc & { kind: 'variant' }): unknown =>
  isTable(doc.default) ? doc.default[doc.tag] : undefined

function namedCase(doc: Doc & { kind: 'variant' }, value: unknown): unknown {
  if (!isTable(value)) return value
  const name = value[doc.tag] ?? defaultName(doc)
  return typeof name === 'string' ? { ...value, [doc.tag]: registered(name, Object.keys(doc.cases)) } : value
}

function mapFields(value: Record<string, unknown>, docOf: (key: string) => Doc | undefined): Record<string, unknown> {
  // Not by assignment, which takes a field named __proto__ for the prototype and loses it.
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const own = docOf(key)
      return [key, own === undefined ? field : expandShorthand(field, own)]
    }),
  )
}
