import * as Effect from 'effect/Effect'
import * as Schema from 'effect/Schema'
import { type Bounds, expectation, type FieldDoc, type Named } from './doc.ts'

/** One input or output: the schema that checks it, and what a person must know about it. */
export interface Field<T> {
  readonly schema: Schema.Codec<T, unknown>
  readonly doc: FieldDoc
}

/** A field that may be left out of a group; then nothing stands for it. */
export interface OptionalField<T> {
  readonly schema: Schema.optionalKey<Schema.Codec<T, unknown>>
  readonly doc: FieldDoc
}

export type Fields = Readonly<Record<string, Field<never> | OptionalField<never>>>

type OptionalKeys<F> = { [K in keyof F]: F[K] extends OptionalField<infer _> ? K : never }[keyof F]

/** What a group of fields decodes to. */
export type Values<F> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: F[K] extends Field<infer T> ? T : never
} & { readonly [K in OptionalKeys<F>]?: F[K] extends OptionalField<infer T> ? T | undefined : never }

type Extra = Bounds & { readonly also?: readonly string[] }

function numeric(integer: boolean, unit: string | undefined, sentence: string, extra: Extra): Field<number> {
  const doc: FieldDoc = { kind: 'number', integer, sentence, ...(unit === undefined ? {} : { unit }), ...extra }
  const { minimum, above, maximum } = extra
  const fits = (value: number): boolean =>
    Number.isFinite(value) &&
    (!integer || Number.isSafeInteger(value)) &&
    (minimum === undefined || value >= minimum) &&
    (above === undefined || value > above) &&
    (maximum === undefined || value <= maximum)
  const expected = expectation(doc)
  const notes = { description: sentence, unit, expected }
  return { schema: Schema.Number.annotate(notes).check(Schema.makeFilter(fits, { expected })), doc }
}

/** A real number in a unit: `quantity('B/s', 'What it is.', { above: 0 })`. */
export const quantity = (unit: string, sentence: string, extra: Extra = {}) => numeric(false, unit, sentence, extra)

/** A real number without a unit. */
export const ratio = (sentence: string, extra: Extra = {}) => numeric(false, undefined, sentence, extra)

/** A whole number without a unit, 0 or above unless said otherwise. */
export const count = (sentence: string, extra: Extra = {}) =>
  numeric(true, undefined, sentence, { minimum: 0, ...extra })

/** A whole number, 1 or above. */
export const degree = (sentence: string, extra: Extra = {}) => count(sentence, { minimum: 1, ...extra })

/** Tokens: a whole number, 0 or above. */
export const tokens = (sentence: string, extra: Extra = {}) =>
  numeric(true, 'token', sentence, { minimum: 0, ...extra })

/** Bytes, 0 or above. */
export const bytes = (sentence: string, extra: Extra = {}) => quantity('B', sentence, { minimum: 0, ...extra })

/** Seconds, 0 or above. */
export const seconds = (sentence: string, extra: Extra = {}) => quantity('s', sentence, { minimum: 0, ...extra })

/** Bytes per second, above 0. */
export const bandwidth = (sentence: string, extra: Extra = {}) => quantity('B/s', sentence, { above: 0, ...extra })

/** Operations, 0 or above. */
export const flops = (sentence: string, extra: Extra = {}) => quantity('FLOP', sentence, { minimum: 0, ...extra })

type Also = { readonly also?: readonly string[] }

/** Yes or no; 1 and 0 are taken too. */
export const flag = (sentence: string, extra: Also = {}): Field<boolean> => ({
  schema: Schema.Boolean.annotate({ description: sentence, expected: 'true or false' }),
  doc: { kind: 'flag', sentence, ...extra },
})

export const text = (sentence: string, extra: Also = {}): Field<string> => ({
  schema: Schema.String.annotate({ description: sentence, expected: 'text' }),
  doc: { kind: 'text', sentence, ...extra },
})

export const choice = <const N extends string>(names: readonly N[], sentence: string, extra: Also = {}): Field<N> => ({
  schema: Schema.Literals(names).annotate({ description: sentence }) as unknown as Schema.Codec<N, unknown>,
  doc: { kind: 'choice', names, sentence, ...extra },
})

export function list<T>(
  items: Field<T>,
  sentence: string,
  extra: Also & { readonly minimumItems?: number } = {},
): Field<readonly T[]> {
  const { minimumItems = 0, also } = extra
  const doc: FieldDoc = {
    kind: 'list',
    items: items.doc,
    minimumItems,
    sentence,
    ...(items.doc.unit === undefined ? {} : { unit: items.doc.unit }),
    ...(also === undefined ? {} : { also }),
  }
  const schema = Schema.Array(items.schema)
    .annotate({ description: sentence, expected: expectation(doc) })
    .check(Schema.makeFilter((found) => found.length >= minimumItems, { expected: expectation(doc) }))
  return { schema: schema as unknown as Schema.Codec<readonly T[], unknown>, doc }
}

/** Values by names that the user chooses. */
export function table<T>(values: Field<T>, sentence: string, extra: Also = {}): Field<Readonly<Record<string, T>>> {
  const doc: FieldDoc = { kind: 'table', values: values.doc, sentence, ...extra }
  const schema = Schema.Record(Schema.String, values.schema).annotate({ description: sentence })
  return { schema: schema as unknown as Schema.Codec<Readonly<Record<string, T>>, unknown>, doc }
}

/** Fields under one key. `named` lets a name stand for the whole group. */
export function group<const F>(
  fields: F & GroupOf<F>,
  sentence: string,
  extra: Also & { readonly named?: Named } = {},
): Field<Values<F>> {
  const entries = Object.entries(fields as Record<string, Field<unknown>>)
  const schemas = Object.fromEntries(entries.map(([name, field]) => [name, field.schema]))
  const docs = Object.fromEntries(entries.map(([name, field]) => [name, field.doc]))
  const schema = Schema.Struct(schemas).annotate({ description: sentence })
  return {
    schema: schema as unknown as Schema.Codec<Values<F>, unknown>,
    doc: { kind: 'group', fields: docs, sentence, ...extra },
  }
}

type GroupOf<F> = { readonly [K in keyof F]: F[K] extends Field<infer _> | OptionalField<infer _> ? F[K] : never }

/** One of two shapes, the first that fits. */
export const either = <A, B>(first: Field<A>, second: Field<B>, sentence: string): Field<A | B> => ({
  schema: Schema.Union([first.schema, second.schema]) as unknown as Schema.Codec<A | B, unknown>,
  doc: { kind: 'either', options: [first.doc, second.doc], sentence },
})

export const optional = <T>(field: Field<T>): OptionalField<T> => ({
  schema: Schema.optionalKey(field.schema),
  doc: { ...field.doc, optional: true },
})

/** May be left out; `value` then stands for it. `value` is what would be written: of a group, its keys or its name. */
export const withDefault = <T>(field: Field<T>, value: unknown): Field<T> => ({
  schema: field.schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value))) as unknown as Schema.Codec<
    T,
    unknown
  >,
  doc: { ...field.doc, default: value, optional: true },
})
