import type { NumberOption, Options, PartOption, PartRegistryName, PartSpec } from './option.ts'

type Bounds = Pick<NumberOption, 'minimum' | 'above' | 'maximum'>

/** Short ways to write options of the usual units. */
export const rate = (sentence: string, bounds: Bounds = { above: 0 }) =>
  ({ kind: 'number', integer: false, unit: 'requests per second', sentence, ...bounds }) as const

export const seconds = (sentence: string, bounds: Bounds = { minimum: 0 }) =>
  ({ kind: 'number', integer: false, unit: 'seconds', sentence, ...bounds }) as const

/** No text is longer: two of them together are still a 32-bit number. */
export const MOST_TOKENS = 1_000_000_000

export const tokens = (sentence: string, bounds: Bounds = { minimum: 1 }) =>
  ({ kind: 'number', integer: true, unit: 'tokens', sentence, maximum: MOST_TOKENS, ...bounds }) as const

export const count = (unit: string, sentence: string, bounds: Bounds = { minimum: 1 }) =>
  ({ kind: 'number', integer: true, unit, sentence, ...bounds }) as const

export const ratio = (sentence: string, bounds: Bounds = { minimum: 0 }) =>
  ({ kind: 'number', integer: false, sentence, ...bounds }) as const

export const share = (sentence: string) =>
  ({ kind: 'number', integer: false, unit: 'share', sentence, minimum: 0, maximum: 1 }) as const

export const part = (registry: PartRegistryName, sentence: string) =>
  ({ kind: 'part', registry, sentence }) as const satisfies PartOption

/** A list of groups of options. */
export const list = <const Items extends Options>(
  sentence: string,
  items: Items,
  minimumItems = 1,
): { readonly kind: 'list'; readonly sentence: string; readonly minimumItems: number; readonly items: Items } => ({
  kind: 'list',
  items,
  minimumItems,
  sentence,
})

/** The option with a default value: it need not be given. */
export const withDefault = <const O extends object, const V>(option: O, value: V) =>
  ({ ...option, default: value }) as const

/** The option as one that may be left out, and is then `undefined`. */
export const optional = <const O extends object>(option: O) => ({ ...option, optional: true }) as const

export type { PartSpec }
