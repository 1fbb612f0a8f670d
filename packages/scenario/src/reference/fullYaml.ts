import { boundsSentence, type Doc } from '../schema/doc.ts'

/**
 * A scenario text with every option: its sentence, unit and bounds as a comment, its default as the value, and options
 * that have no default commented out. It is a valid scenario that runs.
 */
export function fullScenarioText(doc: Doc, values: Readonly<Record<string, unknown>>): string {
  const lines = [
    '# Every option of a scenario, with its default. A line that starts with "#" and a key is an option left out.',
  ]
  if (doc.kind === 'group') writeFields(doc.fields, values, 0, lines, '')
  return `${lines.join('\n')}\n`
}

const pad = (depth: number): string => '  '.repeat(depth)
const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function remark(doc: Doc): string {
  const details: string[] = []
  if (doc.unit !== undefined) details.push(doc.unit)
  if (doc.kind === 'number') {
    const bounds = boundsSentence(doc)
    if (bounds !== '') details.push(bounds)
  }
  if (doc.kind === 'choice') details.push(doc.names.length > 12 ? `${doc.names.length} names` : doc.names.join(' | '))
  if (doc.kind === 'variant') details.push(Object.keys(doc.cases).join(' | '))
  return details.length === 0 ? doc.sentence : `${doc.sentence} (${details.join('; ')})`
}

function writeFields(
  fields: Readonly<Record<string, Doc>>,
  values: Readonly<Record<string, unknown>>,
  depth: number,
  lines: string[],
  off: string,
): void {
  for (const [name, field] of Object.entries(fields)) {
    lines.push(`${pad(depth)}# ${remark(field)}`)
    const given = values[name] ?? field.default
    const out = given === undefined && field.optional === true ? '# ' : off
    writeValue(field, name, given ?? field.example ?? placeholder(field), depth, lines, out)
  }
}

function placeholder(doc: Doc): unknown {
  if (doc.kind === 'group' || doc.kind === 'table') return {}
  if (doc.kind === 'choice') return doc.names[0]
  if (doc.kind === 'list') return []
  if (doc.kind === 'variant') return { [doc.tag]: Object.keys(doc.cases)[0] }
  if (doc.kind === 'either') return doc.options[0] === undefined ? null : placeholder(doc.options[0])
  return doc.kind === 'number' ? (doc.minimum ?? 1) : doc.kind === 'boolean' ? false : ''
}

function writeValue(doc: Doc, name: string, value: unknown, depth: number, lines: string[], off: string): void {
  const start = `${pad(depth)}${off}${name}:`
  if (off !== '') {
    const inner: string[] = []
    writeValue(doc, name, value, 0, inner, '')
    for (const line of inner) lines.push(`${pad(depth)}${off}${line}`)
    return
  }
  if (doc.kind === 'group' && isTable(value)) {
    const inner: string[] = []
    writeFields(doc.fields, value, depth + 1, inner, off)
    const empty = inner.every((line) => line.trim().startsWith('#'))
    lines.push(empty ? `${start} {}` : start, ...inner)
  } else if (doc.kind === 'variant' && (isTable(value) || typeof value === 'string')) {
    writeVariant(doc, start, isTable(value) ? value : { [doc.tag]: value }, depth, lines)
  } else if (doc.kind === 'list' && doc.items.kind === 'group' && Array.isArray(value)) {
    lines.push(start)
    for (const item of value) writeItem(doc.items, item, depth + 1, lines)
  } else if (doc.kind === 'table' && isTable(value) && doc.values.kind === 'group') {
    lines.push(Object.keys(value).length === 0 ? `${start} {}` : start)
    for (const [key, entry] of Object.entries(value)) writeValue(doc.values, key, entry, depth + 1, lines, off)
  } else
    lines.push(
      `${start} ${typeof value === 'string' && /^[A-Za-z][\w. -]*$/.test(value) ? value : JSON.stringify(value)}`,
    )
}

function writeVariant(
  doc: Doc & { kind: 'variant' },
  start: string,
  value: Record<string, unknown>,
  depth: number,
  lines: string[],
): void {
  const name = String(value[doc.tag])
  const chosen = doc.cases[name]
  lines.push(start, `${pad(depth + 1)}# ${chosen?.sentence ?? ''}`, `${pad(depth + 1)}${doc.tag}: ${name}`)
  if (chosen?.kind === 'group') writeFields(chosen.fields, value, depth + 1, lines, '')
}

function writeItem(doc: Doc & { kind: 'group' }, value: unknown, depth: number, lines: string[]): void {
  const inner: string[] = []
  writeFields(doc.fields, isTable(value) ? value : {}, depth + 1, inner, '')
  const first = inner.findIndex((line) => !line.trim().startsWith('#'))
  for (const [at, line] of inner.entries())
    lines.push(at === first ? `${pad(depth)}- ${line.slice((depth + 1) * 2)}` : line)
}
