import * as all from './all.ts'
import type { Preset } from './preset.ts'

export type { Preset } from './preset.ts'

/** Every scenario that comes along, by name. */
export const presets: ReadonlyMap<string, Preset> = new Map(
  Object.values(all).map((preset: Preset) => [preset.name, preset] as const),
)

export const presetList: readonly Preset[] = [...presets.values()]
export const presetNames: readonly string[] = [...presets.keys()]

/** Text of a preset; undefined when there is none of that name. */
export const presetText = (name: string): string | undefined => presets.get(name)?.text
