import type * as Schema from 'effect/Schema'
import type { Bounds, Doc, Notes } from './doc.ts'

declare const shape: unique symbol

/**
 * A piece of the scenario file, as data: what a person must know about it, and all that the schema is made of which checks
 * it (schemaOf). Only its type speaks of schemas, so that a run of a scenario already checked does without them.
 */
export interface Option<S extends Schema.Top = Schema.Top> {
  readonly doc: Doc
  /** For types alone: the schema. */
  readonly [shape]?: S
}

/** The schema of an option. */
export type SchemaOf<O extends Option> = O extends Option<infer S> ? S : never
/** What an option is once it has been checked. */
export type TypeOf<O extends Option> = SchemaOf<O>['Type']

function numeric(integer: boolean, notes: Notes & Bounds): Option<Schema.Codec<number, number>> {
  const { minimum, above, maximum, ...rest } = notes
  const bounds: Bounds = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(above === undefined ? {} : { above }),
    ...(maximum === undefined ? {} : { maximum }),
  }
  return { doc: { ...rest, kind: 'number', integer, ...bounds } }
}

/** A real quantity in the unit that its key names. */
export const quantity = (notes: Notes & Bounds) => numeric(false, notes)
/** A whole number. */
export const count = (notes: Notes & Bounds) => numeric(true, notes)

export const flag = (notes: Notes): Option<Schema.Codec<boolean, boolean>> => ({
  doc: { ...notes, kind: 'boolean' },
})

export const text = (notes: Notes): Option<Schema.Codec<string, string>> => ({
  doc: { ...notes, kind: 'text' },
})

/** One of the names of a registry; `aliases` are other spellings that are taken too. */
export const choice = <const N extends string | number>(
  names: readonly N[],
  notes: Notes,
  aliases: readonly N[] = [],
): Option<Schema.Codec<N, N>> => ({
  doc: { ...notes, kind: 'choice', names, ...(aliases.length === 0 ? {} : { aliases }) },
})

export const list = <T, E>(
  items: Option<Schema.Codec<T, E>>,
  notes: Notes & { minimumItems?: number },
): Option<Schema.Codec<readonly T[], readonly E[]>> => {
  const { minimumItems = 0, ...rest } = notes
  return { doc: { ...rest, kind: 'list', items: items.doc, minimumItems } }
}

/** Values by a name that the user chooses. */
export const table = <T, E>(
  values: Option<Schema.Codec<T, E>>,
  notes: Notes,
): Option<Schema.Codec<Readonly<Record<string, T>>, Readonly<Record<string, E>>>> => ({
  doc: { ...notes, kind: 'table', values: values.doc },
})

type Fields = Readonly<Record<string, Option>>
type SchemasOf<F extends Fields> = { readonly [K in keyof F]: SchemaOf<F[K]> }

const docsOf = (options: Fields): Record<string, Doc> =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.doc]))

export const group = <const F extends Fields>(fields: F, notes: Notes): Option<Schema.Struct<SchemasOf<F>>> => ({
  doc: { ...notes, kind: 'group', fields: docsOf(fields) },
})

/** The option may be left out, and then nothing stands for it. */
export const optional = <S extends Schema.Top>(option: Option<S>): Option<Schema.optionalKey<S>> => ({
  doc: { ...option.doc, optional: true },
})

/** The option may be left out, and then `value` stands for it. */
export const withDefault = <T, E>(
  option: Option<Schema.Codec<T, E>>,
  value: E,
): Option<Schema.withDecodingDefaultKey<Schema.Codec<T, E>>> => ({
  doc: { ...option.doc, default: value, optional: true },
})

type CasesOf<Tag extends string, C extends Fields> = {
  [K in keyof C & string]: { readonly [T in Tag]: K } & TypeOf<C[K]>
}[keyof C & string]

/** Kinds that a tag tells apart, each a group: `{ name: vllm, ... }`. A bare `vllm` may stand for `{ name: vllm }`. */
export const variant = <const Tag extends string, const C extends Fields>(
  tag: Tag,
  cases: C,
  notes: Notes,
): Option<Schema.Codec<CasesOf<Tag, C>, unknown>> => ({ doc: { ...notes, kind: 'variant', tag, cases: docsOf(cases) } })

/** Values of several shapes that their JSON types tell apart, such as a name or a group. */
export const either = <const O extends readonly Option[]>(
  options: O,
  notes: Notes,
): Option<Schema.Codec<TypeOf<O[number]>, unknown>> => ({
  doc: { ...notes, kind: 'either', options: options.map((option) => option.doc) },
})
