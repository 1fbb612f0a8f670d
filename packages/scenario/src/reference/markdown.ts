import { boundsSentence, type Doc } from '../schema/doc.ts'

/** Every option of the scenario file as a page of Markdown: one table a group. */
export function scenarioReference(doc: Doc): string {
  const sections: string[] = []
  writeSection(doc, '', sections, new Set())
  return `${sections.join('\n\n')}\n`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

function kindOf(doc: Doc): string {
  switch (doc.kind) {
    case 'number':
      return doc.integer ? 'whole number' : 'number'
    case 'boolean':
      return 'true or false'
    case 'choice':
      return doc.names.length > 10 ? `a name (${doc.names.length} known)` : doc.names.join(', ')
    case 'list':
      return `list of ${kindOf(doc.items)}`
    case 'table':
      return 'named groups'
    case 'variant':
      return doc.registry === undefined
        ? `group by ${doc.tag}: ${Object.keys(doc.cases).join(', ')}`
        : `one of the ${doc.registry}`
    case 'either':
      return doc.options.map(kindOf).join(', or ')
    case 'any':
      return 'any value'
    default:
      return doc.kind
  }
}

function row(path: string, doc: Doc): string {
  const bounds = doc.kind === 'number' ? boundsSentence(doc) : ''
  const byDefault =
    doc.default === undefined ? (doc.optional === true ? 'none' : 'required') : JSON.stringify(doc.default)
  const cells = [`\`${path}\``, kindOf(doc), doc.unit ?? '', bounds, `\`${byDefault}\``, doc.sentence]
  return `| ${cells.map(cell).join(' | ')} |`
}

const HEAD = '| option | kind | unit | bounds | default | what it does |\n| --- | --- | --- | --- | --- | --- |'

function writeSection(doc: Doc, path: string, sections: string[], seen: Set<string>): void {
  if (doc.kind === 'list') writeSection(doc.items, `${path}[]`, sections, seen)
  else if (doc.kind === 'table') writeSection(doc.values, `${path}.NAME`, sections, seen)
  else if (doc.kind === 'either') for (const option of doc.options) writeSection(option, path, sections, seen)
  else if (doc.kind === 'variant') {
    if (doc.registry !== undefined && seen.has(doc.registry)) return
    if (doc.registry !== undefined) seen.add(doc.registry)
    const at = doc.registry ?? path
    for (const [name, one] of Object.entries(doc.cases)) writeGroup(one, at, `${at}: ${name}`, sections, seen)
  } else writeGroup(doc, path, path === '' ? 'Scenario' : path, sections, seen)
}

function writeGroup(doc: Doc, path: string, title: string, sections: string[], seen: Set<string>): void {
  if (doc.kind !== 'group') return
  const inside = (name: string): string => (path === '' ? name : `${path}.${name}`)
  const rows = Object.entries(doc.fields).map(([name, field]) => row(inside(name), field))
  sections.push(`## ${title}\n\n${doc.sentence}${rows.length === 0 ? '' : `\n\n${HEAD}\n${rows.join('\n')}`}`)
  for (const [name, field] of Object.entries(doc.fields)) writeSection(field, inside(name), sections, seen)
}
