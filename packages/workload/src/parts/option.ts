/**
 * Options of a part as plain data: the scenario schema, the docs, the command line and the menus are made from them.
 * `sentence` says what the option does; `unit` the unit of the value (the name carries it too); an option with neither
 * `default` nor `optional` must be given.
 */
interface Notes {
  readonly sentence: string
  readonly unit?: string
  readonly example?: unknown
  readonly optional?: true
}

export interface NumberOption extends Notes {
  readonly kind: 'number'
  readonly integer: boolean
  readonly minimum?: number
  /** Exclusive lower bound. */
  readonly above?: number
  readonly maximum?: number
  readonly default?: number
}

export interface BooleanOption extends Notes {
  readonly kind: 'boolean'
  readonly default?: boolean
}

export interface TextOption extends Notes {
  readonly kind: 'text'
  readonly default?: string
}

export interface ChoiceOption<Name extends string = string> extends Notes {
  readonly kind: 'choice'
  readonly names: readonly Name[]
  readonly default?: Name
}

/** A list whose items are numbers or groups of options. */
export interface ListOption<Items extends NumberOption | Options = NumberOption | Options> extends Notes {
  readonly kind: 'list'
  readonly items: Items
  readonly minimumItems: number
}

/** Another part, by name with its own options: `{ name: 'lognormal', mean: 1000, cv: 1 }`. */
export interface PartOption extends Notes {
  readonly kind: 'part'
  readonly registry: PartRegistryName
  readonly default?: PartSpec
}

/** The folders of parts that this package has. */
export type PartRegistryName = 'arrivals' | 'lengths' | 'structures'

export type Option = NumberOption | BooleanOption | TextOption | ChoiceOption | ListOption | PartOption

export interface Options {
  readonly [name: string]: Option
}

/** A part as a person writes it: its name, and its options beside it. */
export interface PartSpec {
  readonly name: string
  readonly [option: string]: unknown
}

type Value<O> = O extends { kind: 'number' }
  ? number
  : O extends { kind: 'boolean' }
    ? boolean
    : O extends { kind: 'text' }
      ? string
      : O extends { kind: 'choice'; names: readonly (infer Name)[] }
        ? Name
        : O extends { kind: 'part' }
          ? PartSpec
          : O extends { kind: 'list'; items: infer Items }
            ? Items extends NumberOption
              ? readonly number[]
              : readonly OptionValues<Items>[]
            : never

/** The checked values of a table of options. */
export type OptionValues<O> = {
  readonly [Name in keyof O]: O[Name] extends { optional: true } ? Value<O[Name]> | undefined : Value<O[Name]>
}
