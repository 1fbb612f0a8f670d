import * as Effect from 'effect/Effect'
import * as Schema from 'effect/Schema'
import { type Bounds, boundsSentence, type Doc, type Notes } from './doc.ts'

/** A piece of the scenario file: the schema that checks it, and what a person must know about it. */
export interface Option<S extends Schema.Top = Schema.Top> {
  readonly schema: S
  readonly doc: Doc
}

const phrase = (integer: boolean, bounds: Bounds, unit: string | undefined): string => {
  const range = boundsSentence(bounds)
  return `${integer ? 'a whole number' : 'a number'}${unit === undefined ? '' : ` of ${unit}`}${range === '' ? '' : `, ${range}`}`
}

function numeric(integer: boolean, notes: Notes & Bounds): Option<Schema.Codec<number, number>> {
  const { minimum, above, maximum, ...rest } = notes
  const bounds: Bounds = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(above === undefined ? {} : { above }),
    ...(maximum === undefined ? {} : { maximum }),
  }
  const expected = phrase(integer, bounds, notes.unit)
  const fits = (value: number): boolean =>
    Number.isFinite(value) &&
    (!integer || Number.isSafeInteger(value)) &&
    (minimum === undefined || value >= minimum) &&
    (above === undefined || value > above) &&
    (maximum === undefined || value <= maximum)
  const schema = Schema.Number.annotate({ expected }).check(Schema.makeFilter(fits, { expected }))
  return { schema, doc: { ...rest, kind: 'number', integer, ...bounds } }
}

/** A real quantity in the unit that its key names. */
export const quantity = (notes: Notes & Bounds) => numeric(false, notes)
/** A whole number. */
export const count = (notes: Notes & Bounds) => numeric(true, notes)

export const flag = (notes: Notes): Option<Schema.Codec<boolean, boolean>> => ({
  schema: Schema.Boolean.annotate({ expected: 'true or false' }),
  doc: { ...notes, kind: 'boolean' },
})

export const text = (notes: Notes): Option<Schema.Codec<string, string>> => ({
  schema: Schema.String.annotate({ expected: 'text' }),
  doc: { ...notes, kind: 'text' },
})

/** One of the names of a registry; `aliases` are other spellings that are taken too. */
export const choice = <const N extends string | number>(
  names: readonly N[],
  notes: Notes,
  aliases: readonly N[] = [],
): Option<Schema.Codec<N, N>> => ({
  schema: Schema.Literals([...names, ...aliases]) as unknown as Schema.Codec<N, N>,
  doc: { ...notes, kind: 'choice', names, ...(aliases.length === 0 ? {} : { aliases }) },
})

export const list = <T, E>(
  items: Option<Schema.Codec<T, E>>,
  notes: Notes & { minimumItems?: number },
): Option<Schema.Codec<readonly T[], readonly E[]>> => {
  const { minimumItems = 0, ...rest } = notes
  const array = Schema.Array(items.schema).annotate({ expected: 'a list' })
  const expected = minimumItems === 1 ? 'at least one item' : `at least ${minimumItems} items`
  const schema = array.check(Schema.makeFilter((value) => value.length >= minimumItems, { expected }))
  return {
    schema: schema as unknown as Schema.Codec<readonly T[], readonly E[]>,
    doc: { ...rest, kind: 'list', items: items.doc, minimumItems },
  }
}

/** Values by a name that the user chooses. */
export const table = <T, E>(
  values: Option<Schema.Codec<T, E>>,
  notes: Notes,
): Option<Schema.Codec<Readonly<Record<string, T>>, Readonly<Record<string, E>>>> => ({
  schema: Schema.Record(Schema.String, values.schema) as unknown as Schema.Codec<
    Readonly<Record<string, T>>,
    Readonly<Record<string, E>>
  >,
  doc: { ...notes, kind: 'table', values: values.doc },
})

type Fields = Readonly<Record<string, Option>>
type SchemasOf<F extends Fields> = { readonly [K in keyof F]: F[K]['schema'] }

export function group<const F extends Fields>(fields: F, notes: Notes): Option<Schema.Struct<SchemasOf<F>>> {
  const schemas: Record<string, Schema.Top> = {}
  const docs: Record<string, Doc> = {}
  for (const [name, field] of Object.entries(fields)) {
    schemas[name] = field.schema
    docs[name] = field.doc
  }
  const schema = Schema.Struct(schemas as SchemasOf<F>).annotate({ expected: 'a group of options' })
  return { schema: schema as unknown as Schema.Struct<SchemasOf<F>>, doc: { ...notes, kind: 'group', fields: docs } }
}

/** The option may be left out, and then nothing stands for it. */
export const optional = <S extends Schema.Top>(option: Option<S>): Option<Schema.optionalKey<S>> => ({
  schema: Schema.optionalKey(option.schema),
  doc: { ...option.doc, optional: true },
})

/** The option may be left out, and then `value` stands for it. */
export const withDefault = <T, E>(
  option: Option<Schema.Codec<T, E>>,
  value: E,
): Option<Schema.withDecodingDefaultKey<Schema.Codec<T, E>>> => ({
  schema: option.schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value))),
  doc: { ...option.doc, default: value, optional: true },
})

/** The fields of a group; a case of a variant must be one. */
const fieldsOf = (option: Option): Schema.Struct.Fields => (option.schema as Schema.Struct<Schema.Struct.Fields>).fields

type CasesOf<Tag extends string, C extends Fields> = {
  [K in keyof C & string]: { readonly [T in Tag]: K } & C[K]['schema']['Type']
}[keyof C & string]

/** Kinds that a tag tells apart: `{ name: vllm, ... }`. A bare `vllm` may stand for `{ name: vllm }`. */
export function variant<const Tag extends string, const C extends Fields>(
  tag: Tag,
  cases: C,
  notes: Notes,
): Option<Schema.Codec<CasesOf<Tag, C>, unknown>> {
  const members: Schema.Top[] = []
  const docs: Record<string, Doc> = {}
  for (const [name, option] of Object.entries(cases)) {
    members.push(Schema.Struct({ [tag]: Schema.Literal(name), ...fieldsOf(option) }))
    docs[name] = option.doc
  }
  return {
    schema: Schema.Union(members) as unknown as Schema.Codec<CasesOf<Tag, C>, unknown>,
    doc: { ...notes, kind: 'variant', tag, cases: docs },
  }
}

/** Values of several shapes that their JSON types tell apart, such as a name or a group. */
export function either<const O extends readonly Option[]>(
  options: O,
  notes: Notes,
): Option<Schema.Codec<O[number]['schema']['Type'], unknown>> {
  return {
    schema: Schema.Union(options.map((option) => option.schema)) as unknown as Schema.Codec<
      O[number]['schema']['Type'],
      unknown
    >,
    doc: { ...notes, kind: 'either', options: options.map((option) => option.doc) },
  }
}
