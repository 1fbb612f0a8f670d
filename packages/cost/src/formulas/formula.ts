/**
 * How one formula of the scaling book enters the registry. The arithmetic lives in the documented functions of
 * rooflines/, collectives/, training/ ...; an entry gives it the book's id, explains the variables, and calls it.
 *
 * To add formulas of a chapter: one file `chapterNN.ts` that exports `chapter(NN, title, { ID: formula({...}) })`, and
 * one line in `all.ts`. Command line, documentation and tests follow from the registry.
 */

/** What a formula accepts for one variable: a number, a list of numbers (mesh axes, tree levels) or a notation. */
export type FormulaInput = number | readonly number[] | string

/** What a formula returns under one name; `undefined` where there is no such value (no batch is compute-bound). */
export type FormulaOutput = number | boolean | string | readonly (number | boolean | string)[] | undefined

interface Kinds {
  number: number
  optionalNumber: number | undefined
  numbers: readonly number[]
  text: string
}

/** One input of a formula: its kind, unit and meaning, and the value it takes when it is not given. */
export interface Variable<Kind extends keyof Kinds = keyof Kinds> {
  readonly kind: Kind
  /** Unit in SI words: `FLOP/s`, `B`, `s`, `tokens`; `1` for a plain count or ratio. */
  readonly unit: string
  readonly meaning: string
  readonly default?: Exclude<Kinds[Kind], undefined>
}

/** A required number, or one with a default. */
export const number = (unit: string, meaning: string, standard?: number): Variable<'number'> =>
  standard === undefined ? { kind: 'number', unit, meaning } : { kind: 'number', unit, meaning, default: standard }

/** A number that may be left out; the formula then says what it does without. */
export const optionalNumber = (unit: string, meaning: string): Variable<'optionalNumber'> => ({
  kind: 'optionalNumber',
  unit,
  meaning,
})

/** A list of numbers, one per mesh axis, tree level ... */
export const numbers = (unit: string, meaning: string, standard?: readonly number[]): Variable<'numbers'> =>
  standard === undefined ? { kind: 'numbers', unit, meaning } : { kind: 'numbers', unit, meaning, default: standard }

/** A notation such as a sharded matmul, or a choice among words. */
export const text = (unit: string, meaning: string, standard?: string): Variable<'text'> =>
  standard === undefined ? { kind: 'text', unit, meaning } : { kind: 'text', unit, meaning, default: standard }

type Values<Variables> = { readonly [Name in keyof Variables]: ValueOf<Variables[Name]> }
type ValueOf<V> = V extends Variable<infer Kind> ? Kinds[Kind] : never

interface FormulaParts<Variables, Outputs> {
  /** A short name, in lower case words. */
  readonly title: string
  /** The formula as the book writes it. */
  readonly text: string
  readonly variables: Variables
  /** Output name -> unit (`verdict` for a word, `bool` for a yes or no). */
  readonly outputs: Outputs
  /** When the formula holds, where it matters. */
  readonly valid?: string
  /** The public functions that do the arithmetic, by name: `by: { mathSeconds }`. */
  readonly by: Readonly<Record<string, unknown>>
  readonly evaluate: (values: Values<Variables>) => { readonly [Name in keyof Outputs]: FormulaOutput }
}

/** A formula without its place in the book; `chapter` adds that. */
export interface UnplacedFormula {
  readonly title: string
  readonly text: string
  readonly variables: Readonly<Record<string, Variable>>
  readonly outputs: Readonly<Record<string, string>>
  readonly valid: string | undefined
  /** Names of the public functions that do the arithmetic. */
  readonly functions: readonly string[]
  readonly evaluate: (values: Readonly<Record<string, FormulaInput | undefined>>) => Record<string, FormulaOutput>
}

/** A formula of the book: id, place, explanation, and the call. Call it through `evaluateFormula`, which checks inputs. */
export interface Formula extends UnplacedFormula {
  readonly id: string
  readonly chapter: number
  readonly chapterTitle: string
}

/**
 * Defines one formula; the values that `evaluate` sees are typed by the kinds of the variables. Of what it returns, the
 * declared outputs are kept.
 */
export function formula<
  const Variables extends Readonly<Record<string, Variable>>,
  const Outputs extends Readonly<Record<string, string>>,
>(parts: FormulaParts<Variables, Outputs>): UnplacedFormula {
  const { title, text, variables, outputs, valid, by, evaluate } = parts
  return {
    title,
    text,
    variables,
    outputs,
    valid,
    functions: Object.keys(by),
    evaluate: (values) => {
      const found = evaluate(values as Values<Variables>)
      return Object.fromEntries(Object.keys(outputs).map((name) => [name, found[name]]))
    },
  }
}

/** Gives the formulas of a chapter their ids (the keys) and their place in the book. */
export function chapter<const Id extends string>(
  number: number,
  title: string,
  formulas: Readonly<Record<Id, UnplacedFormula>>,
): Readonly<Record<Id, Formula>> {
  const placed = Object.entries<UnplacedFormula>(formulas).map(([id, one]) => [
    id,
    { ...one, id, chapter: number, chapterTitle: title },
  ])
  return Object.fromEntries(placed) as Record<Id, Formula>
}
