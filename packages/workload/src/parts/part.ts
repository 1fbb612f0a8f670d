import { UnknownPart } from './errors.ts'
import type { Options, OptionValues, PartSpec } from './option.ts'
import { resolveOptions } from './resolve.ts'

/** One part of a registry: its name, a sentence, its options as data, and how it is made from checked values. */
export interface Part<Made, Context, Name extends string = string, O extends Options = Options> {
  readonly name: Name
  readonly sentence: string
  readonly options: O
  create(values: OptionValues<O>, context: Context): Made
}

/** A part with its own types forgotten, as registries hold it: made from what a person wrote. */
export interface RegisteredPart<Made, Context, Name extends string = string> {
  readonly name: Name
  readonly sentence: string
  readonly options: Options
  /** Checks `given` (errors begin with `where`) and makes the part. */
  make(where: string, given: unknown, context: Context): Made
}

/** Registers a part: checks of its options come before `create`. */
export function definePart<Made, Context>() {
  return <const Name extends string, const O extends Options>(
    part: Part<Made, Context, Name, O>,
  ): RegisteredPart<Made, Context, Name> => ({
    name: part.name,
    sentence: part.sentence,
    options: part.options,
    make: (where, given, context) => part.create(resolveOptions(where, part.options, given), context),
  })
}

/** Makes the part that `spec` names. `what` says in errors what kind of part it is. */
export function makePart<Made, Context>(
  what: string,
  parts: Readonly<Record<string, RegisteredPart<Made, Context>>>,
  where: string,
  spec: PartSpec,
  context: Context,
): Made {
  const part = Object.hasOwn(parts, spec.name) ? parts[spec.name] : undefined
  if (part === undefined) throw new UnknownPart(what, spec.name, Object.keys(parts))
  return part.make(where, spec, context)
}

/** The record by name of a module of parts (`import * as all from './all.ts'`). */
export function registry<P extends { readonly name: string }>(
  all: Readonly<Record<string, P>>,
): { readonly [Name in P['name']]: Extract<P, { name: Name }> } {
  const record: Record<string, P> = {}
  for (const part of Object.values(all)) record[part.name] = part
  return record as { readonly [Name in P['name']]: Extract<P, { name: Name }> }
}
