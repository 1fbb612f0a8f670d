import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import { InputError } from '../edge/inputError.ts'

const Expectation = Schema.Struct({
  name: Schema.String,
  value: Schema.Number,
  abs_tol: Schema.optionalKey(Schema.Number),
  rel_tol: Schema.optionalKey(Schema.Number),
  /** Recomputed, to many digits. */
  precise: Schema.optionalKey(Schema.Number),
})

const Case = Schema.Struct({
  id: Schema.String,
  calc: Schema.String,
  inputs: Schema.Record(Schema.String, Schema.Unknown),
  expected: Schema.Array(Expectation),
  rel_tol: Schema.optionalKey(Schema.Number),
  status: Schema.optionalKey(Schema.String),
})

/** One expected result: the printed value with its tolerance, and a recomputed one. */
export type CaseExpectation = (typeof Expectation)['Type']
/** One case: a calculator, its inputs, and what must come out. */
export type CalculatorCase = (typeof Case)['Type']

const decode = Schema.decodeUnknownResult(Schema.Array(Case), { errors: 'all' })

/** Reads a case file: a list of cases, or an object with one under `cases`. Throws InputError for anything else. */
export function readCases(text: string): readonly CalculatorCase[] {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch (error) {
    throw InputError.at('', `the case file is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const list = typeof found === 'object' && found !== null && 'cases' in found ? found.cases : found
  const result = decode(list)
  if (Result.isSuccess(result) && result.success.length > 0) return result.success
  const reason = Result.isFailure(result) ? inOneLine(result.failure.message) : 'none'
  throw InputError.at('', `expected a list of cases with id, calc, inputs and expected: ${reason}`)
}

/** What a schema says, a fault a line and its place on the next, in one line. */
const inOneLine = (text: string): string => text.replaceAll('\n  at', ' at').replaceAll('\n', '; ')
