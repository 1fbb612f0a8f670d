import { flatResults } from '../edge/flatResults.ts'
import { snakeCase } from '../edge/names.ts'
import { runCalculator } from '../edge/runCalculator.ts'
import type { CalculatorCase, CaseExpectation } from './caseFile.ts'

/** `known`: does not agree, and the file says that it need not. */
export type Verdict = 'passed' | 'failed' | 'known'

/** One expectation and what came out. */
export interface CaseCheck {
  readonly id: string
  readonly name: string
  readonly expected: number
  /** A number, or in words why there is none. */
  readonly got: number | string
  readonly verdict: Verdict
}

/** Relative tolerance against the recomputed value. */
const PRECISE = 1e-9

/** Checks every expectation of every case. Never throws: a case that cannot be computed fails, with the reason. */
export const runCases = (cases: readonly CalculatorCase[]): readonly CaseCheck[] => cases.flatMap(checkCase)

function checkCase(one: CalculatorCase): CaseCheck[] {
  const results = resultsOf(one)
  return one.expected.map((expectation) => {
    const { name } = expectation
    const got = typeof results === 'string' ? results : (results.get(snakeCase(name)) ?? 'no such result')
    const { agrees, expected } = compared(expectation, got, one.rel_tol)
    const verdict = agrees ? 'passed' : one.status === 'not_reproduced' ? 'known' : 'failed'
    return { id: one.id, name, expected, got, verdict }
  })
}

function resultsOf(one: CalculatorCase): ReadonlyMap<string, number | string> | string {
  try {
    const { calculator, results } = runCalculator(one.calc, one.inputs)
    return flatResults(calculator.output.doc, results)
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)
  }
}

/** The expected number shown is the one that is missed: the recomputed one if there is one and it is missed. */
function compared(expectation: CaseExpectation, got: number | string, caseTolerance = 0) {
  const { value, precise } = expectation
  const relative = Math.abs(value) * (expectation.rel_tol ?? caseTolerance)
  const nearPrinted = within(got, value, expectation.abs_tol ?? relative)
  const nearPrecise = precise === undefined || within(got, precise, PRECISE * (Math.abs(precise) || 1))
  return { agrees: nearPrinted && nearPrecise, expected: nearPrecise ? value : (precise ?? value) }
}

const within = (got: number | string, expected: number, tolerance: number): boolean =>
  typeof got === 'number' && Math.abs(got - expected) <= tolerance

/** The line of an expectation that does not agree: `id name expected got`, after `known` where that is known. */
export const caseLine = (check: CaseCheck): string =>
  `${check.verdict === 'known' ? 'known ' : ''}${check.id} ${check.name} ${check.expected} ${check.got}`

/** `N passed, M failed`, with how many are known to differ. */
export function caseSummary(checks: readonly CaseCheck[]): string {
  const of = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length
  return `${of('passed')} passed, ${of('failed')} failed`
}
