import type {
  Options,
  Option as PartOption,
  PartRegistryName,
  PartSpec,
  RegisteredPart,
} from '@windtunnel/workload/parts'
import * as Schema from 'effect/Schema'
import type { Doc, Notes } from './doc.ts'
import { choice, count, flag, group, list, type Option, optional, quantity, text, withDefault } from './options.ts'

type AnyOption = Option<Schema.Codec<unknown, unknown>>
type Parts = Readonly<Record<string, RegisteredPart<unknown, never>>>

/** The registries of traffic parts, as options of the scenario. Parts may hold parts, of their own registry too. */
export class PartOptions {
  readonly #registries: Readonly<Record<PartRegistryName, Parts>>
  readonly #made = new Map<PartRegistryName, { schema: Schema.Codec<PartSpec, unknown>; cases: Record<string, Doc> }>()

  constructor(registries: Readonly<Record<PartRegistryName, Parts>>) {
    this.#registries = registries
  }

  /** `{ name: PART, ...its options }`, or the bare name of a part. */
  part(registry: PartRegistryName, notes: Notes): Option<Schema.Codec<PartSpec, unknown>> {
    const { schema, cases } = this.#registry(registry)
    return { schema, doc: { ...notes, kind: 'variant', tag: 'name', cases, registry } }
  }

  #registry(registry: PartRegistryName) {
    const known = this.#made.get(registry)
    if (known !== undefined) return known
    const cases: Record<string, Doc> = {}
    let whole: Schema.Codec<PartSpec, unknown> | undefined
    const schema = Schema.suspend((): Schema.Codec<PartSpec, unknown> => whole!)
    this.#made.set(registry, { schema, cases })
    const members: Schema.Top[] = []
    for (const part of Object.values(this.#registries[registry])) {
      const { schema: fields, doc } = group(this.#fields(part.options), { sentence: part.sentence })
      members.push(Schema.Struct({ name: Schema.Literal(part.name), ...fields.fields }))
      cases[part.name] = doc
    }
    whole = Schema.Union(members) as unknown as Schema.Codec<PartSpec, unknown>
    const made = { schema: whole, cases }
    this.#made.set(registry, made)
    return made
  }

  /** A group of options that another package describes. */
  group(options: Options, notes: Notes): Option<Schema.Codec<Readonly<Record<string, unknown>>, unknown>> {
    const { schema, doc } = group(this.#fields(options), notes)
    return { schema: schema as unknown as Schema.Codec<Readonly<Record<string, unknown>>, unknown>, doc }
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
