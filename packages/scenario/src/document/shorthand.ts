import type { Doc } from '../schema/doc.ts'
import { caseOf } from '../schema/expectation.ts'
import { isTable } from './path.ts'

/**
 * A copy of a document in which every bare name that stands for a group is written out: `router: roundRobin` becomes
 * `router: { name: roundRobin }`. What does not fit the doc is copied as it is, for the schema to complain about.
 */
export function expandShorthand(value: unknown, doc: Doc): unknown {
  switch (doc.kind) {
    case 'variant': {
      const whole = typeof value === 'string' ? { [doc.tag]: value } : value
      const chosen = caseOf(doc, whole)
      return chosen === undefined ? whole : expandShorthand(whole, chosen)
    }
    case 'group':
      return isTable(value) ? mapFields(value, (key) => doc.fields[key]) : value
    case 'table':
      return isTable(value) ? mapFields(value, () => doc.values) : value
    case 'list':
      return Array.isArray(value) ? value.map((item) => expandShorthand(item, doc.items)) : value
    default:
      return value
  }
}

function mapFields(value: Record<string, unknown>, docOf: (key: string) => Doc | undefined): Record<string, unknown> {
  const expanded: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    const own = docOf(key)
    expanded[key] = own === undefined ? field : expandShorthand(field, own)
  }
  return expanded
}
