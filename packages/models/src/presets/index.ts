import { UnknownName } from '../unknownName.ts'
import * as all from './all.ts'
import type { Preset } from './definePreset.ts'

type AnyPreset = (typeof all)[keyof typeof all]

/** Names of the registered models. */
export type ModelName = AnyPreset['name']
/** Other names that some of them answer to. */
export type ModelAlias = AnyPreset['aliases'][number]

/** The registered models by name. */
export const presets = Object.fromEntries(Object.values(all).map((preset) => [preset.name, preset])) as Readonly<
  Record<ModelName, Preset>
>

export const modelNames = Object.keys(presets).sort() as readonly ModelName[]

const byAnyName = new Map<string, Preset>()
for (const preset of Object.values(all) as readonly Preset[])
  for (const name of [preset.name, preset.title, ...preset.aliases]) byAnyName.set(name.toLowerCase(), preset)

/** The model of that name, alias or Hugging Face title, whatever the case. Throws `UnknownName` with the near ones. */
export const model = (name: string): Preset => {
  const found = byAnyName.get(name.toLowerCase())
  if (found === undefined) throw new UnknownName('model', name, modelNames)
  return found
}
