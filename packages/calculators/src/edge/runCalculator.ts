import { CostInputError } from '@windtunnel/cost/costInputError'
import { fieldsOf } from '../calculator.ts'
import { findCalculator, type NamedCalculator } from '../calculators/index.ts'
import { InputError } from './inputError.ts'
import { fieldNamed, kebabCase } from './names.ts'
import { joined } from './problems.ts'
import { readInputs } from './readInputs.ts'

/** A calculator's answer, with the inputs as they were taken, defaults filled in. */
export interface Calculation {
  readonly calculator: NamedCalculator
  readonly inputs: Readonly<Record<string, unknown>>
  readonly results: Readonly<Record<string, unknown>>
}

/**
 * Computes by name from plain values, as they come from a command line, a file or a request. Throws UnknownName for the
 * calculator, InputError or CostInputError for its inputs.
 */
export function runCalculator(name: string, found: unknown): Calculation {
  const calculator = findCalculator(name)
  const where = kebabCase(calculator.name)
  try {
    const inputs = readInputs(calculator, found)
    const results = calculator.compute(inputs as never)
    refuseOverflow(results, '')
    return { calculator, inputs: inputs as Record<string, unknown>, results: results as Record<string, unknown> }
  } catch (error) {
    if (error instanceof InputError) throw new InputError(error.problems, where)
    if (error instanceof CostInputError) throw asInputError(error, calculator, where)
    throw error
  }
}

/** What a cost function refuses, under the name that the calculator gives the input. */
function asInputError(error: CostInputError, calculator: NamedCalculator, where: string): InputError {
  const path = fieldNamed(fieldsOf(calculator.input.doc), error.quantity) ?? error.quantity
  return new InputError([{ path, message: `expected ${error.expected}; found ${String(error.found)}` }], where)
}

/** Inputs that are each within their bounds can be too far apart for a number to hold what comes of them. */
function refuseOverflow(result: unknown, path: string): void {
  if (typeof result === 'number') {
    if (!Number.isFinite(result))
      throw InputError.at(path, `the result is ${result}: the inputs are too large or too small for each other`)
  } else if (typeof result === 'object' && result !== null)
    for (const [key, one] of Object.entries(result)) refuseOverflow(one, joined(path, key))
}
