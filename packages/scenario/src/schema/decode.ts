import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import { documentOf, parseScenarioText, type ScenarioDocument } from '../document/parse.ts'
import type { Path } from '../document/path.ts'
import { type Problem, ScenarioError } from '../document/problem.ts'
import { expandShorthand } from '../document/shorthand.ts'
import { applyOverrides, type Override } from '../overrides/override.ts'
import { contradictions } from './contradictions.ts'
import { problemsOf } from './problems.ts'
import { type Scenario, scenarioOption } from './scenario.ts'
import { schemaOf } from './schemaOf.ts'

const decode = Schema.decodeUnknownResult(schemaOf(scenarioOption), {
  errors: 'all',
  onExcessProperty: 'error',
  reportInput: true,
})

/**
 * Checks a document with overrides laid over it. Throws one ScenarioError with every fault: what does not fit the schema,
 * or, when all fits, what contradicts itself.
 */
export function decodeScenario(document: ScenarioDocument, overrides: readonly Override[] = []): Scenario {
  const plain = { ...document, value: expandShorthand(document.value, scenarioOption.doc) }
  const laid = applyOverrides(plain, overrides)
  const value = expandShorthand(laid.value, scenarioOption.doc)
  const result = decode(value)
  if (Result.isFailure(result)) throw trouble(laid, problemsOf(result.failure.issue, scenarioOption.doc, value))
  const problems = contradictions(result.success)
  if (problems.length > 0) throw trouble(laid, problems)
  return result.success
}

/** Reads and checks YAML or JSON text. Throws a ScenarioError. */
export const readScenario = (text: string, source?: string, overrides?: readonly Override[]): Scenario =>
  decodeScenario(parseScenarioText(text, source), overrides)

/** Checks a scenario made by a program. Throws a ScenarioError. */
export const checkScenario = (value: unknown, source?: string, overrides?: readonly Override[]): Scenario =>
  decodeScenario(documentOf(value, source), overrides)

function trouble(document: ScenarioDocument, problems: readonly Problem[]): ScenarioError {
  const placed = problems.map((problem) => {
    const line = document.lineOf(problem.path as Path)
    return line === undefined ? problem : { ...problem, line }
  })
  placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  return new ScenarioError(document.source, placed)
}
