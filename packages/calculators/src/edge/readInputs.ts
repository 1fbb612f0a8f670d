import { nearNames } from '@windtunnel/hardware'
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import type { Presets } from '../calculator.ts'
import type { FieldDoc } from '../fields/doc.ts'
import type { Field } from '../fields/field.ts'
import { InputError, type InputProblem } from './inputError.ts'
import { fieldNamed } from './names.ts'
import { isTable, joined, problemsOf, shown } from './problems.ts'

/**
 * Inputs of a calculator from plain values: keys in camel or snake case, a name in place of a model, 1 and 0 for yes and
 * no; what is left out takes its default. Throws InputError with every fault.
 */
export function readInputs<Input>({ input, presets }: Readable<Input>, found: unknown): Input {
  const problems: InputProblem[] = []
  const renamed = withPreset(input.doc, presets, rename(input.doc, withoutPreset(found, presets), '', problems), found)
  const result = Schema.decodeUnknownResult(input.schema, { errors: 'all', onExcessProperty: 'error' })(renamed)
  if (Result.isSuccess(result) && problems.length === 0) return result.success
  const unfit = Result.isFailure(result) ? problemsOf(result.failure.issue, input.doc, renamed) : []
  const told = (path: string) => problems.some((one) => path === one.path || path.startsWith(`${one.path}.`))
  throw new InputError([...problems, ...unfit.filter(({ path }) => !told(path))])
}

interface Readable<Input> {
  readonly input: Field<Input>
  readonly presets?: Presets
}

/** `preset` picks a set of inputs, over which the others are laid. */
function withoutPreset(found: unknown, presets: Presets | undefined): unknown {
  if (presets === undefined || !isTable(found)) return found
  const { preset: _, ...others } = found
  return others
}

function withPreset(doc: FieldDoc, presets: Presets | undefined, renamed: unknown, found: unknown): unknown {
  if (presets === undefined || !isTable(found) || found['preset'] === undefined || !isTable(renamed)) return renamed
  const name = String(found['preset'])
  const preset = presets[name]
  if (preset === undefined) {
    const known = `one of ${Object.keys(presets).join(', ')}`
    throw InputError.at('preset', `expected ${known}; found ${shown(found['preset'])}`)
  }
  return { ...(rename(doc, preset, '', []) as Record<string, unknown>), ...renamed }
}

function rename(doc: FieldDoc, value: unknown, path: string, problems: InputProblem[]): unknown {
  switch (doc.kind) {
    case 'flag':
      return value === 1 ? true : value === 0 ? false : value
    case 'list':
      return Array.isArray(value)
        ? value.map((item, at) => rename(doc.items, item, joined(path, String(at)), problems))
        : value
    case 'table':
      return isTable(value)
        ? Object.fromEntries(
            Object.entries(value).map(([key, one]) => [key, rename(doc.values, one, joined(path, key), problems)]),
          )
        : value
    case 'group':
      return renameGroup(doc, value, path, problems)
    default:
      return value
  }
}

function renameGroup(
  doc: FieldDoc & { kind: 'group' },
  value: unknown,
  path: string,
  problems: InputProblem[],
): unknown {
  const plain =
    typeof value === 'string' && doc.named !== undefined ? made(doc.named.make, value, path, problems) : value
  if (!isTable(plain)) return plain
  const renamed: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(plain)) {
    const at = joined(path, key)
    const name = fieldNamed(doc.fields, key)
    if (name === undefined) problems.push({ path: at, message: unknownKey(key, Object.keys(doc.fields)) })
    else if (Object.hasOwn(renamed, name)) problems.push({ path: at, message: `given twice, as ${name} already` })
    else renamed[name] = rename(doc.fields[name]!, one, joined(path, name), problems)
  }
  for (const [name, field] of Object.entries(doc.fields)) {
    if (Object.hasOwn(renamed, name) || field.kind !== 'group' || field.default === undefined) continue
    renamed[name] = rename(field, field.default, joined(path, name), problems)
  }
  return renamed
}

function made(make: (name: string) => unknown, name: string, path: string, problems: InputProblem[]): unknown {
  try {
    return make(name)
  } catch (error) {
    if (error instanceof InputError) problems.push(...error.problems.map(({ message }) => ({ path, message })))
    else problems.push({ path, message: error instanceof Error ? error.message : String(error) })
    return {}
  }
}

function unknownKey(key: string, names: readonly string[]): string {
  const near = nearNames(key, names)
  const advice = near.length > 0 ? `did you mean ${near.join(', ')}?` : `the inputs are ${names.join(', ')}`
  return `there is no such input; ${advice}`
}

/** `name=value` words as plain values, read by what each field takes. Dots go into groups: `allreduce.algorithm=tree`. */
export function readAssignments(doc: FieldDoc, words: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const word of words) {
    if (word.startsWith('{')) {
      const table = json(word)
      if (!isTable(table)) throw InputError.at('', `expected a JSON object; found ${shown(word)}`)
      Object.assign(values, table)
      continue
    }
    const equals = word.indexOf('=')
    if (equals <= 0) throw InputError.at('', `expected NAME=VALUE, such as tp=8; found ${shown(word)}`)
    const path = word.slice(0, equals).trim().split('.')
    place(values, doc, path, word.slice(equals + 1).trim())
  }
  return values
}

function place(into: Record<string, unknown>, doc: FieldDoc, path: readonly string[], text: string): void {
  const [key, ...rest] = path as [string, ...string[]]
  const docs = doc.kind === 'group' ? doc.fields : {}
  const name = fieldNamed(docs, key) ?? key
  const own = doc.kind === 'table' ? doc.values : docs[name]
  if (rest.length === 0) {
    into[name] = own === undefined ? text : wordValue(own, text)
    return
  }
  if (!isTable(into[name])) into[name] = {}
  place(into[name] as Record<string, unknown>, own ?? { kind: 'text', sentence: '' }, rest, text)
}

/** A word as the field takes it; what does not read is left as text for the schema to refuse. */
function wordValue(doc: FieldDoc, text: string): unknown {
  switch (doc.kind) {
    case 'number':
      return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
    case 'flag':
      return ({ true: true, false: false, yes: true, no: false, '1': true, '0': false } as const)[text] ?? text
    case 'list':
      if (text.startsWith('[')) return json(text)
      return text === '' ? [] : text.split(',').map((item) => wordValue(doc.items, item.trim()))
    case 'table':
    case 'group':
      return text.startsWith('{') ? json(text) : text
    case 'either':
      return text.startsWith('[') ? json(text) : wordValue(doc.options[0]!, text)
    default:
      return text
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
