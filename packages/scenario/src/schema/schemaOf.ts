import * as Effect from 'effect/Effect'
import * as Schema from 'effect/Schema'
import { type Bounds, boundsSentence, type Doc } from './doc.ts'
import type { Option } from './options.ts'

type Docs = Readonly<Record<string, Doc>>
type Kind<K extends Doc['kind']> = Extract<Doc, { kind: K }>
type Plain = Schema.Codec<unknown, unknown>

/** The schema that checks an option. */
export const schemaOf = <S extends Schema.Top>(option: Option<S>): S => whole(option.doc) as unknown as S

/** With what stands for it where it is left out. */
function whole(doc: Doc): Plain {
  const schema = plain(doc) as Plain
  const withAbsence =
    doc.default !== undefined
      ? schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(doc.default)))
      : doc.optional === true
        ? Schema.optionalKey(schema)
        : schema
  return withAbsence as unknown as Plain
}

function plain(doc: Doc): Schema.Top {
  switch (doc.kind) {
    case 'number':
      return numberOf(doc)
    case 'boolean':
      return Schema.Boolean.annotate({ expected: 'true or false' })
    case 'text':
      return Schema.String.annotate({ expected: 'text' })
    case 'choice':
      return Schema.Literals([...doc.names, ...(doc.aliases ?? [])])
    case 'list':
      return listOf(doc)
    case 'table':
      return Schema.Record(Schema.String, whole(doc.values)).check(nameable)
    case 'group':
      return Schema.Struct(fieldsOf(doc.fields)).annotate({ expected: 'a group of options' })
    case 'variant':
      return variantOf(doc)
    case 'either':
      return Schema.Union(doc.options.map(whole))
    case 'any':
      return Schema.Unknown
  }
}

const nameable = Schema.makeFilter((table: Readonly<Record<string, unknown>>) =>
  Object.hasOwn(table, '__proto__')
    ? 'expected names other than __proto__, which JavaScript keeps for itself; choose another'
    : true,
)

function numberOf(doc: Kind<'number'>): Schema.Top {
  const { integer, minimum, above, maximum } = doc
  const expected = phrase(integer, doc, doc.unit)
  const fits = (value: number): boolean =>
    Number.isFinite(value) &&
    (!integer || Number.isSafeInteger(value)) &&
    (minimum === undefined || value >= minimum) &&
    (above === undefined || value > above) &&
    (maximum === undefined || value <= maximum)
  return Schema.Number.annotate({ expected }).check(Schema.makeFilter(fits, { expected }))
}

const phrase = (integer: boolean, bounds: Bounds, unit: string | undefined): string => {
  const range = boundsSentence(bounds)
  return `${integer ? 'a whole number' : 'a number'}${unit === undefined ? '' : ` of ${unit}`}${range === '' ? '' : `, ${range}`}`
}

function listOf({ items, minimumItems }: Kind<'list'>): Schema.Top {
  const expected = minimumItems === 1 ? 'at least one item' : `at least ${minimumItems} items`
  const array = Schema.Array(whole(items)).annotate({ expected: 'a list' })
  return array.check(Schema.makeFilter((value) => value.length >= minimumItems, { expected }))
}

const fieldsOf = (docs: Docs): Record<string, Schema.Top> =>
  Object.fromEntries(Object.entries(docs).map(([name, doc]) => [name, whole(doc)]))

/** By their cases, which all parts of one registry share, and which may hold parts of it in turn. */
const variants = new WeakMap<Docs, Schema.Top>()

function variantOf({ tag, cases }: Kind<'variant'>): Schema.Top {
  const known = variants.get(cases)
  if (known !== undefined) return known
  variants.set(
    cases,
    Schema.suspend(() => made),
  )
  const made: Plain = Schema.Union(
    Object.entries(cases).map(([name, doc]) => Schema.Struct({ [tag]: Schema.Literal(name), ...caseFields(doc) })),
  ) as unknown as Plain
  variants.set(cases, made)
  return made
}

function caseFields(doc: Doc): Record<string, Schema.Top> {
  if (doc.kind !== 'group') throw new TypeError(`a case of a variant must be a group, not ${doc.kind}`)
  return fieldsOf(doc.fields)
}
