import type { Architecture } from '../architecture.ts'

/** A model of the registry: an architecture under a literal name, with other names it answers to. */
export type Preset<Name extends string = string, Alias extends string = string> = Architecture & {
  readonly name: Name
  readonly aliases: readonly Alias[]
}

/** Keeps the literal types of the names, so that the registry can derive their union. */
export const definePreset = <const Name extends string, const Alias extends string = never>(
  preset: Architecture & { readonly name: Name; readonly aliases?: readonly Alias[] },
): Preset<Name, Alias> => ({ ...preset, aliases: preset.aliases ?? [] })
