import type {
  Options,
  Option as PartOption,
  PartRegistryName,
  PartSpec,
  RegisteredPart,
} from '@windtunnel/workload/parts'
import type * as Schema from 'effect/Schema'
import type { Doc, Notes } from './doc.ts'
import { choice, count, flag, group, list, type Option, optional, quantity, text, withDefault } from './options.ts'

type AnyOption = Option<Schema.Codec<unknown, unknown>>
type Parts = Readonly<Record<string, RegisteredPart<unknown, never>>>

/** The registries of traffic parts, as options of the scenario. Parts may hold parts, of their own registry too. */
export class PartOptions {
  readonly #registries: Readonly<Record<PartRegistryName, Parts>>
  readonly #made = new Map<PartRegistryName, Record<string, Doc>>()

  constructor(registries: Readonly<Record<PartRegistryName, Parts>>) {
    this.#registries = registries
  }

  /** `{ name: PART, ...its options }`, or the bare name of a part. */
  part(registry: PartRegistryName, notes: Notes): Option<Schema.Codec<PartSpec, unknown>> {
    return { doc: { ...notes, kind: 'variant', tag: 'name', cases: this.#cases(registry), registry } }
  }

  #cases(registry: PartRegistryName): Record<string, Doc> {
    const known = this.#made.get(registry)
    if (known !== undefined) return known
    const cases: Record<string, Doc> = {}
    this.#made.set(registry, cases)
    for (const part of Object.values(this.#registries[registry]))
      cases[part.name] = this.group(part.options, { sentence: part.sentence }).doc
    return cases
  }

  /** A group of options that another package describes. */
  group(options: Options, notes: Notes): Option<Schema.Codec<Readonly<Record<string, unknown>>, unknown>> {
    return { doc: group(this.#fields(options), notes).doc }
  }

  #fields(options: Options): Record<string, Option> {
    return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, this.#field(option)]))
  }

  #field(option: PartOption): Option {
    const plain = this.#plain(option) as AnyOption
    if ('default' in option && option.default !== undefined) return withDefault(plain, option.default)
    return option.optional === true ? optional(plain) : plain
  }

  #plain(option: PartOption): Option {
    switch (option.kind) {
      case 'number':
        return (option.integer ? count : quantity)(boundedNotes(option))
      case 'boolean':
        return flag(notesOf(option))
      case 'text':
        return text(notesOf(option))
      case 'choice':
        return choice(option.names, notesOf(option))
      case 'part':
        return this.part(option.registry, notesOf(option))
      case 'list': {
        const items = option.items
        const item = isNumberOption(items) ? this.#plain(items) : group(this.#fields(items), { sentence: 'One item.' })
        return list(item as AnyOption, { ...notesOf(option), minimumItems: option.minimumItems })
      }
    }
  }
}

const isNumberOption = (items: { readonly kind?: unknown }): items is Extract<PartOption, { kind: 'number' }> =>
  items.kind === 'number'

const notesOf = (option: PartOption): Notes => ({
  sentence: option.sentence,
  ...(option.unit === undefined ? {} : { unit: option.unit }),
  ...(option.example === undefined ? {} : { example: option.example }),
})

const boundedNotes = (option: Extract<PartOption, { kind: 'number' }>) => ({
  ...notesOf(option),
  ...(option.minimum === undefined ? {} : { minimum: option.minimum }),
  ...(option.above === undefined ? {} : { above: option.above }),
  ...(option.maximum === undefined ? {} : { maximum: option.maximum }),
})
