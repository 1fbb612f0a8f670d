import type { NamedCalculator } from '@windtunnel/calculators/calculators/index'
import { InputError, type InputProblem } from '@windtunnel/calculators/edge/inputError'
import { readAssignments } from '@windtunnel/calculators/edge/readInputs'
import { runCalculator } from '@windtunnel/calculators/edge/runCalculator'
import { type Typed, wordsOf } from './inputs.ts'
import { type ResultLine, resultLines } from './results.ts'

export type Computed = { ok: true; lines: ResultLine[] } | { ok: false; problems: readonly InputProblem[] }

/** The results for what is typed, or every problem with it. */
export const compute = (calculator: NamedCalculator, typed: Typed): Computed => {
  try {
    const values = readAssignments(calculator.input.doc, wordsOf(typed))
    const { results } = runCalculator(calculator.name, values)
    return { ok: true, lines: resultLines(calculator.output.doc, results) }
  } catch (error) {
    if (error instanceof InputError) return { ok: false, problems: error.problems }
    return { ok: false, problems: [{ path: '', message: error instanceof Error ? error.message : String(error) }] }
  }
}
