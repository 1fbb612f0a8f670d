import { nearNames } from '@windtunnel/scenario/names/near'
import { CliFault } from '../fault.ts'
import * as all from './all.ts'
import type { ExportKind } from './exportKind.ts'

export const exportKinds: ReadonlyMap<string, ExportKind> = new Map(
  Object.values(all)
    .map((kind) => [kind.name, kind] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
)

export interface ChosenExport {
  readonly kind: ExportKind
  readonly path: string
}

/** Reads KIND=FILE. Throws a fault for the user. */
export function chosenExport(text: string): ChosenExport {
  const at = text.indexOf('=')
  const kinds = [...exportKinds.keys()]
  if (at <= 0 || at === text.length - 1)
    throw new CliFault(`--export ${text}: expected KIND=FILE; kinds: ${kinds.join(', ')}`)
  const name = text.slice(0, at)
  const kind = exportKinds.get(name)
  if (kind !== undefined) return { kind, path: text.slice(at + 1) }
  const near = nearNames(name, kinds)
  throw new CliFault(
    `--export ${text}: there is no kind ${name}; ${near.length > 0 ? `did you mean ${near.join(' or ')}?` : `kinds: ${kinds.join(', ')}`}`,
  )
}
