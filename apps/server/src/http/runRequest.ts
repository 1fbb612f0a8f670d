import { ReopenRequest, RunRequest } from '@windtunnel/protocol'
import { parameterFileOf } from '@windtunnel/scenario/build/parameters'
import { parseScenarioText } from '@windtunnel/scenario/document/parse'
import { type Override, readOverride } from '@windtunnel/scenario/overrides/override'
import { presetNames, presetText } from '@windtunnel/scenario/presets/index'
import { decodeScenario } from '@windtunnel/scenario/schema/decode'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import { Result, Schema } from 'effect'
import { schemaSentence } from '../schemaSentence.ts'

const strict = { errors: 'all', onExcessProperty: 'error' } as const
const read = Schema.decodeUnknownResult(Schema.fromJsonString(RunRequest), strict)
const readReopen = Schema.decodeUnknownResult(Schema.fromJsonString(ReopenRequest), strict)

/** A request for a run that makes no sense; `message` is for the one who asked. */
export class BadRequest extends Error {
  readonly _tag = 'BadRequest'
}

/** Reads the body of a request to open a kept run again; an empty body asks for nothing special. Throws a BadRequest. */
export function readReopenRequest(body: string): ReopenRequest {
  const decoded = readReopen(body.trim() === '' ? '{}' : body)
  if (Result.isFailure(decoded)) throw new BadRequest(schemaSentence(decoded.failure.message))
  return decoded.success
}

/** Reads the body. Throws a BadRequest, or the ScenarioError of the scenario. */
export function readRunRequest(body: string): { request: RunRequest; scenario: Scenario } {
  const decoded = read(body)
  if (Result.isFailure(decoded)) throw new BadRequest(schemaSentence(decoded.failure.message))
  const request = decoded.success
  const overrides = (request.overrides ?? []).map(overrideOf)
  const scenario = decodeScenario(parseScenarioText(textOf(request), request.preset ?? 'scenario'), overrides)
  const named = filesNamed(scenario)
  if (named.length > 0)
    throw new BadRequest(
      `A scenario sent over HTTP may not name files of the server; found ${named.join(', ')}. Start it from the command line.`,
    )
  return { request, scenario }
}

function overrideOf(text: string): Override {
  try {
    return readOverride(text)
  } catch (cause) {
    throw new BadRequest(`overrides: ${cause instanceof Error ? cause.message.replace(/^--set:? */, '') : cause}`)
  }
}

/** The options of a scenario that name files. */
function filesNamed(scenario: Scenario): string[] {
  const { traffic, model } = scenario
  return [
    ...(traffic.trace === undefined ? [] : ['traffic.trace']),
    ...(typeof model === 'string' || model.config === undefined ? [] : ['model.config']),
    ...(parameterFileOf(scenario) === undefined ? [] : ['cost.parameters']),
  ]
}

/** Reading a text that is nested as deep as it is long would hold up everybody. */
const DEEPEST = 100
const NESTED_LINE = new RegExp(`^ *(?:[-?] +){${DEEPEST}}`, 'm')

/** Throws a BadRequest when the text is nested deeper than any scenario. */
function refuseDeep(text: string): string {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '[' || letter === '{') deepest = Math.max(deepest, ++depth)
    else if (letter === ']' || letter === '}') depth -= 1
  }
  if (deepest > DEEPEST || NESTED_LINE.test(text))
    throw new BadRequest(`A scenario is nested at most ${DEEPEST} deep; this one is nested deeper.`)
  return text
}

function textOf({ scenario, preset }: RunRequest): string {
  if ((scenario === undefined) === (preset === undefined))
    throw new BadRequest('Expected either "scenario" (text) or "preset" (a name).')
  if (scenario !== undefined) return refuseDeep(scenario)
  const text = presetText(preset!)
  if (text === undefined) throw new BadRequest(`There is no preset "${preset}"; there are ${presetNames.join(', ')}.`)
  return text
}
