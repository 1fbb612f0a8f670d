import { compareVersions } from '../../calibration/compareVersions.ts'
import * as all from './all.ts'
import type { EngineOverheads } from './engineOverheads.ts'
import { vllm0151 } from './vllm0151.ts'

export type { EngineOverheads, FrontEndOverheads, LaunchFloor, StepOverheads } from './engineOverheads.ts'

/** The engines whose overheads are known, by name. */
export const engineOverheads: Readonly<Record<string, EngineOverheads>> = Object.fromEntries(
  Object.values(all).map((overheads) => [overheads.name, overheads]),
)

export const engineOverheadNames: readonly string[] = Object.keys(engineOverheads).sort()

export const DEFAULT_ENGINE = vllm0151.name

/** Overheads for an engine, and sentences that say where they are not its own. */
export interface ChosenOverheads {
  overheads: EngineOverheads
  extrapolations: string[]
}

/**
 * The overheads of an engine by name (`vllm-0.15.1`): its own, else those of the version nearest below, else the oldest
 * known, or the newest where no version is named; an engine of which nothing is known gets the default's, and the answer says so.
 */
export function engineOverheadsFor(name: string = DEFAULT_ENGINE): ChosenOverheads {
  const own = engineOverheads[name]
  if (own !== undefined) return { overheads: own, extrapolations: [] }
  const dash = name.lastIndexOf('-')
  const engine = dash < 0 ? name : name.slice(0, dash)
  const version = dash < 0 ? undefined : name.slice(dash + 1)
  const known = Object.values(engineOverheads)
    .filter((candidate) => candidate.engine === engine)
    .sort((a, b) => compareVersions(a.version, b.version))
  const below = known.filter((candidate) => version !== undefined && compareVersions(candidate.version, version) <= 0)
  const overheads = below.at(-1) ?? (version === undefined ? known.at(-1) : known[0]) ?? vllm0151
  return { overheads, extrapolations: [`no measured overheads for ${name}: those of ${overheads.name}`] }
}
