/** What a person must know about one option; schema messages, `init --full`, docs and JSON Schema are made from it. */
export interface Notes {
  /** One sentence: what the option does. */
  readonly sentence: string
  /** Unit of the value; the key's name carries it too. */
  readonly unit?: string
  /** Value shown in a written-out scenario when there is no default. */
  readonly example?: unknown
}

export interface Bounds {
  readonly minimum?: number
  /** Exclusive lower bound. */
  readonly above?: number
  readonly maximum?: number
}

/** The shape of an option, as data. */
export type Doc = Notes & { readonly optional?: boolean; readonly default?: unknown } & (
    | ({ readonly kind: 'number'; readonly integer: boolean } & Bounds)
    | { readonly kind: 'boolean' }
    | { readonly kind: 'text' }
    | {
        readonly kind: 'choice'
        readonly names: readonly (string | number)[]
        /** Other spellings that are taken too. */
        readonly aliases?: readonly (string | number)[]
      }
    | { readonly kind: 'list'; readonly items: Doc; readonly minimumItems: number }
    | { readonly kind: 'table'; readonly values: Doc }
    | { readonly kind: 'group'; readonly fields: Readonly<Record<string, Doc>> }
    | {
        readonly kind: 'variant'
        readonly tag: string
        readonly cases: Readonly<Record<string, Doc>>
        /** Set where the cases are a registry of parts, which may hold parts of the same registry. */
        readonly registry?: string
      }
    | { readonly kind: 'either'; readonly options: readonly Doc[] }
    | { readonly kind: 'any' }
  )

/** "0 to 1", "above 0", "at least 1"; empty without bounds. */
export function boundsSentence(bounds: Bounds): string {
  const { minimum, above, maximum } = bounds
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (above !== undefined && maximum !== undefined) return `above ${above}, at most ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  if (above !== undefined) return `above ${above}`
  return maximum === undefined ? '' : `at most ${maximum}`
}
