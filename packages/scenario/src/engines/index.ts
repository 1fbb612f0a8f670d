import * as all from './all.ts'

type AnyBinding = (typeof all)[keyof typeof all]

/** Every engine that a scenario can name, with its options and how they are bound. */
export const engineBindings = Object.fromEntries(
  Object.values(all).map((binding: AnyBinding) => [binding.name, binding]),
) as { readonly [Name in AnyBinding['name']]: Extract<AnyBinding, { name: Name }> }

export type EngineName = keyof typeof engineBindings
export type { BoundEngine, EngineBinding, EngineSite } from './engineBinding.ts'
