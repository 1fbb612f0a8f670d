/** What a person must know about one field; help, forms, documentation and messages are made from it. */
export interface Notes {
  /** One sentence: what the field is. */
  readonly sentence: string
  /** Unit in SI words (`B`, `B/s`, `s`, `token`); none for a plain count, ratio or word. */
  readonly unit?: string
  /** Other names under which the field is known. */
  readonly also?: readonly string[]
}

export interface Bounds {
  readonly minimum?: number
  /** Exclusive lower bound. */
  readonly above?: number
  readonly maximum?: number
}

/** A field as data. */
export type FieldDoc = Notes & {
  readonly optional?: boolean
  readonly default?: unknown
  /** Takes a name in place of the whole group, such as a registered model. */
  readonly named?: Named
} & (
    | ({ readonly kind: 'number'; readonly integer: boolean } & Bounds)
    | { readonly kind: 'flag' }
    | { readonly kind: 'text' }
    | { readonly kind: 'choice'; readonly names: readonly string[] }
    | { readonly kind: 'list'; readonly items: FieldDoc; readonly minimumItems: number }
    | { readonly kind: 'table'; readonly values: FieldDoc }
    | { readonly kind: 'group'; readonly fields: FieldDocs }
    | { readonly kind: 'either'; readonly options: readonly FieldDoc[] }
  )

export type FieldDocs = Readonly<Record<string, FieldDoc>>

/** Makes a group from a name. */
export interface Named {
  /** What such a name stands for: `a registered model`. */
  readonly what: string
  readonly names: readonly string[]
  /** Throws an error written for the user where there is no such name. */
  readonly make: (name: string) => unknown
}

/** "0 to 1", "above 0", "at least 1"; empty without bounds. */
export function boundsSentence(bounds: Bounds): string {
  const { minimum, above, maximum } = bounds
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (above !== undefined && maximum !== undefined) return `above ${above}, at most ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  if (above !== undefined) return `above ${above}`
  return maximum === undefined ? '' : `at most ${maximum}`
}

/** What a field takes, in words: "a number of B/s, above 0", "one of ring, tree". */
export function expectation(doc: FieldDoc): string {
  switch (doc.kind) {
    case 'number': {
      const unit = doc.unit === undefined ? '' : ` of ${doc.unit}`
      const bounds = boundsSentence(doc)
      return `${doc.integer ? 'a whole number' : 'a number'}${unit}${bounds === '' ? '' : `, ${bounds}`}`
    }
    case 'flag':
      return 'true or false'
    case 'text':
      return 'text'
    case 'choice':
      return `one of ${doc.names.join(', ')}`
    case 'list':
      return `a list of ${doc.minimumItems > 0 ? `at least ${doc.minimumItems} items` : 'items'}, each ${expectation(doc.items)}`
    case 'table':
      return `a table of names, each with ${expectation(doc.values)}`
    case 'group': {
      const keys = `the keys ${Object.keys(doc.fields).join(', ')}`
      return doc.named === undefined ? `a group with ${keys}` : `${doc.named.what}, or a group with ${keys}`
    }
    case 'either':
      return doc.options.map(expectation).join(', or ')
  }
}
