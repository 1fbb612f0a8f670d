import { boundsSentence, type Doc } from '@windtunnel/scenario/schema/doc'
import { scenarioOption } from '@windtunnel/scenario/schema/scenario'

/** One option of the scenario file, as its help shows it. */
export interface OptionHelp {
  path: string
  sentence: string
  /** Kind, unit, bounds and default in one line. */
  facts: string
}

const kindOf = (doc: Doc): string => {
  switch (doc.kind) {
    case 'number':
      return doc.integer ? 'whole number' : 'number'
    case 'boolean':
      return 'true or false'
    case 'choice':
      return doc.names.join(', ')
    case 'list':
      return 'list'
    case 'variant':
      return Object.keys(doc.cases).join(', ')
    default:
      return doc.kind
  }
}

const factsOf = (doc: Doc): string =>
  [
    kindOf(doc),
    doc.unit,
    doc.kind === 'number' ? boundsSentence(doc) : undefined,
    doc.default === undefined
      ? doc.optional === true
        ? 'may be left out'
        : 'required'
      : `default ${JSON.stringify(doc.default)}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ')

const walk = (doc: Doc, path: string, found: OptionHelp[], seen: Set<string>): void => {
  if (path !== '') found.push({ path, sentence: doc.sentence, facts: factsOf(doc) })
  if (doc.kind === 'group')
    for (const [name, field] of Object.entries(doc.fields))
      walk(field, path === '' ? name : `${path}.${name}`, found, seen)
  else if (doc.kind === 'list') walkInside(doc.items, `${path}[]`, found, seen)
  else if (doc.kind === 'table') walkInside(doc.values, `${path}.NAME`, found, seen)
  else if (doc.kind === 'either') for (const option of doc.options) walkInside(option, path, found, seen)
  else if (doc.kind === 'variant') {
    if (doc.registry !== undefined && seen.has(doc.registry)) return
    if (doc.registry !== undefined) seen.add(doc.registry)
    for (const [name, one] of Object.entries(doc.cases)) walkInside(one, `${path} (${name})`, found, seen)
  }
}

/** The parts of a composite, without a line for the composite itself. */
const walkInside = (doc: Doc, path: string, found: OptionHelp[], seen: Set<string>): void => {
  if (doc.kind === 'group') {
    for (const [name, field] of Object.entries(doc.fields)) walk(field, `${path}.${name}`, found, seen)
  } else if (doc.kind === 'variant' || doc.kind === 'either' || doc.kind === 'list') walk(doc, path, found, seen)
}

let all: readonly OptionHelp[] | undefined

/** Every option of the scenario file, in order. */
export const scenarioOptions = (): readonly OptionHelp[] => {
  if (all === undefined) {
    const found: OptionHelp[] = []
    walk(scenarioOption.doc, '', found, new Set())
    all = found
  }
  return all
}

/** The options whose path or sentence has all the words. */
export const searchOptions = (words: string): readonly OptionHelp[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return scenarioOptions().filter((option) => {
    const text = `${option.path} ${option.sentence}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
