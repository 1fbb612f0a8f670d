import { OptionError, UnknownPart } from './errors.ts'
import type { NumberOption, Option, Options, OptionValues } from './option.ts'

const show = (value: unknown): string => {
  if (typeof value === 'string') return `"${value}"`
  if (Array.isArray(value)) return `a list of ${value.length}`
  return value !== null && typeof value === 'object' ? 'a table' : String(value)
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** "a number of seconds, at least 0" */
export function numberExpectation(option: NumberOption): string {
  const what = `${option.integer ? 'a whole number' : 'a number'}${option.unit === undefined ? '' : ` of ${option.unit}`}`
  const low =
    option.above !== undefined
      ? `, above ${option.above}`
      : option.minimum !== undefined
        ? `, at least ${option.minimum}`
        : ''
  return `${what}${low}${option.maximum === undefined ? '' : `, at most ${option.maximum}`}`
}

function checkNumber(where: string, option: NumberOption, value: unknown): number {
  const fits =
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (!option.integer || Number.isSafeInteger(value)) &&
    value >= (option.minimum ?? Number.NEGATIVE_INFINITY) &&
    value > (option.above ?? Number.NEGATIVE_INFINITY) &&
    value <= (option.maximum ?? Number.POSITIVE_INFINITY)
  if (!fits) throw new OptionError(where, numberExpectation(option), show(value))
  return value
}

function checkList(where: string, option: Extract<Option, { kind: 'list' }>, value: unknown): unknown {
  if (!Array.isArray(value) || value.length < option.minimumItems) {
    throw new OptionError(where, `a list of at least ${option.minimumItems}`, show(value))
  }
  const items = option.items
  return value.map((item, i) => {
    const place = `${where}[${i}]`
    return isNumberOption(items) ? checkNumber(place, items, item) : resolveOptions(place, items, item)
  })
}

const isNumberOption = (items: NumberOption | Options): items is NumberOption =>
  (items as { kind?: unknown }).kind === 'number'

function check(where: string, option: Option, value: unknown): unknown {
  switch (option.kind) {
    case 'number':
      return checkNumber(where, option, value)
    case 'boolean':
      if (typeof value !== 'boolean') throw new OptionError(where, 'true or false', show(value))
      return value
    case 'text':
      if (typeof value !== 'string') throw new OptionError(where, 'a text', show(value))
      return value
    case 'choice':
      if (typeof value !== 'string' || !option.names.includes(value)) {
        throw new OptionError(where, `one of ${option.names.join(', ')}`, show(value))
      }
      return value
    case 'list':
      return checkList(where, option, value)
    case 'part':
      if (!isTable(value) || typeof value['name'] !== 'string') {
        throw new OptionError(where, `a table with the name of one of the ${option.registry}`, show(value))
      }
      return value
  }
}

/**
 * Checks `given` against `options` and fills the defaults in. Throws an OptionError that says where, and an UnknownPart
 * for an option that does not exist. A key `name` (of the part itself) is passed over.
 */
export function resolveOptions<O extends Options>(where: string, options: O, given: unknown): OptionValues<O> {
  if (!isTable(given)) throw new OptionError(where, 'a table of options', show(given))
  for (const name of Object.keys(given)) {
    if (name !== 'name' && !Object.hasOwn(options, name))
      throw new UnknownPart(`option in ${where}`, name, Object.keys(options))
  }
  const values: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const value = given[name]
    const place = `${where}.${name}`
    if (value !== undefined) values[name] = check(place, option, value)
    else if ('default' in option) values[name] = option.default
    else if (!option.optional)
      throw new OptionError(place, option.kind === 'number' ? numberExpectation(option) : 'a value', 'nothing')
    else values[name] = undefined
  }
  return values as OptionValues<O>
}
