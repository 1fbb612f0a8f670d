import { existsSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { ScenarioFiles } from '@windtunnel/scenario/build/files'
import { parameterFileOf } from '@windtunnel/scenario/build/parameters'
import { parseScenarioText, type ScenarioDocument } from '@windtunnel/scenario/document/parse'
import { nearNames } from '@windtunnel/scenario/names/near'
import { type Override, readOverride } from '@windtunnel/scenario/overrides/override'
import { presetNames, presetText } from '@windtunnel/scenario/presets/index'
import { decodeScenario } from '@windtunnel/scenario/schema/decode'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import * as Option from 'effect/Option'
import { CliFault } from '../fault.ts'
import { byteStream } from './byteStream.ts'
import { readTextFile } from './textFile.ts'

/** Traffic that was imported can be long; nothing else of a scenario is. */
const LONGEST_SCENARIO_MEBIBYTES = 8

/** No scenario is so deep, and a reader of YAML takes minutes to find out. */
const TOO_DEEP = /(?:[[{]\s*){200}/

/** What the flags of `scenarioFlags` give. */
export interface ScenarioChoices {
  readonly scenario: string
  readonly seed: Option.Option<number>
  readonly duration: Option.Option<number>
  readonly trace: Option.Option<string>
  readonly set: readonly string[]
}

export interface LoadedScenario {
  readonly scenario: Scenario
  /** Where relative paths in the scenario start. */
  readonly folder: string
}

/** Finds, reads, overrides (with `more` last) and checks a scenario. Throws errors written for the user. */
export async function loadScenario(choices: ScenarioChoices, more: readonly Override[] = []): Promise<LoadedScenario> {
  const { document, folder } = await findScenario(choices.scenario)
  return { scenario: decodeScenario(document, [...overridesOf(choices), ...more]), folder }
}

function overridesOf(choices: ScenarioChoices): Override[] {
  const overrides = choices.set.map(readOverride)
  if (Option.isSome(choices.trace)) overrides.unshift(...traceInstead(resolve(choices.trace.value)))
  if (Option.isSome(choices.seed)) overrides.push({ path: ['seed'], value: choices.seed.value })
  if (Option.isSome(choices.duration))
    overrides.push({ path: ['run', 'durationSeconds'], value: choices.duration.value })
  return overrides
}

/** A trace takes the place of the drawn traffic, and brings its own end. */
const traceInstead = (file: string): Override[] => [
  ...['arrivals', 'structure', 'streams'].map((name) => ({ path: ['traffic', name], value: undefined })),
  ...['durationSeconds', 'maxRequests'].map((name) => ({ path: ['run', name], value: undefined })),
  { path: ['traffic', 'trace', 'file'], value: file },
]

/** A path that exists is a file; else the name of a preset. Files named inside are relative to the scenario's folder. */
async function findScenario(name: string): Promise<{ document: ScenarioDocument; folder: string }> {
  if (existsSync(name)) {
    const text = await readTextFile(name, { mostMebibytes: LONGEST_SCENARIO_MEBIBYTES })
    if (TOO_DEEP.test(text)) throw new CliFault(`${name} is no scenario: it has brackets in brackets, 200 deep`)
    return { document: parseScenarioText(text, name), folder: dirname(resolve(name)) }
  }
  const preset = presetText(name)
  if (preset !== undefined) return { document: parseScenarioText(preset, `preset ${name}`), folder: process.cwd() }
  const near = nearNames(name, presetNames)
  const advice =
    near.length > 0 ? `did you mean the preset ${near.join(' or ')}?` : `presets: ${presetNames.join(', ')}`
  throw new CliFault(`there is no scenario file and no preset ${name}; ${advice}`)
}

/** Opens the files that a scenario names. Throws a fault for the user when one is not there. */
export async function openFiles({ scenario, folder }: LoadedScenario): Promise<ScenarioFiles> {
  const at = (path: string): string => (isAbsolute(path) ? path : resolve(folder, path))
  const trace = scenario.traffic.trace
  const config = typeof scenario.model === 'string' ? undefined : scenario.model.config
  const parameters = parameterFileOf(scenario)
  return {
    ...(config === undefined ? {} : { modelConfig: await readTextFile(at(config)) }),
    ...(parameters === undefined ? {} : { parameters: await readTextFile(at(parameters)) }),
    ...(trace === undefined ? {} : { trace: byteStream(at(trace.file)) }),
  }
}
