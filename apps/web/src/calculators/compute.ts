import type { NamedCalculator } from '@windtunnel/calculators/calculators/index'
import { InputError, type InputProblem } from '@windtunnel/calculators/edge/inputError'
import { readAssignments } from '@windtunnel/calculators/edge/readInputs'
import { runCalculator } from '@windtunnel/calculators/edge/runCalculator'
import type { Results } from './evaluate.ts'
import { type Typed, wordsOf } from './inputs.ts'
import { type ResultLine, type ResultRows, resultLines, resultTables } from './results.ts'

export type Computed =
  | { ok: true; lines: ResultLine[]; tables: ResultRows[]; results: Results }
  | { ok: false; problems: readonly InputProblem[] }

/** The results for what is typed, or every problem with it. */
export const compute = (calculator: NamedCalculator, typed: Typed): Computed => {
  try {
    const values = readAssignments(calculator.input.doc, wordsOf(typed))
    const { results } = runCalculator(calculator.name, values)
    const { doc } = calculator.output
    return { ok: true, lines: resultLines(doc, results), tables: resultTables(doc, results), results }
  } catch (error) {
    if (error instanceof InputError) return { ok: false, problems: error.problems }
    return { ok: false, problems: [{ path: '', message: error instanceof Error ? error.message : String(error) }] }
  }
}
