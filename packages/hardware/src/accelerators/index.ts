import { type Accelerator, type AcceleratorSpec, type Profile, underProfile } from '../accelerator.ts'
import { UnknownName } from '../unknownName.ts'
import * as all from './all.ts'

type AnySpec = (typeof all)[keyof typeof all]

/** Names of the registered accelerators. */
export type AcceleratorName = AnySpec['name']
/** Other names that some of them answer to. */
export type AcceleratorAlias = AnySpec['aliases'][number]

/** The registered accelerators as written down, by name. */
export const acceleratorSpecs = Object.fromEntries(Object.values(all).map((spec) => [spec.name, spec])) as Readonly<
  Record<AcceleratorName, AcceleratorSpec>
>

export const acceleratorNames = Object.keys(acceleratorSpecs).sort() as readonly AcceleratorName[]

const spelling = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')

const byAnyName = new Map<string, AcceleratorSpec>()
for (const spec of Object.values(all) as readonly AcceleratorSpec[])
  for (const name of [spec.name, ...spec.aliases]) byAnyName.set(name, spec)

/**
 * The accelerator of that name or alias, whatever the case and with `_` or spaces for `-`, under a profile.
 * Throws `UnknownName` with the near names.
 */
export const accelerator = (name: string, profile: Profile = 'vendor'): Accelerator => {
  const spec = byAnyName.get(spelling(name))
  if (spec === undefined) throw new UnknownName('accelerator', name, [...byAnyName.keys()].sort())
  return underProfile(spec, profile)
}
