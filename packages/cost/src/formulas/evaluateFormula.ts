import { nearNames } from '@windtunnel/hardware'
import type { Formula, FormulaInput, FormulaOutput, Variable } from './formula.ts'
import { formulaIds, formulas } from './index.ts'

/** A formula id or variable that does not exist, is missing, or has a value of the wrong kind. */
export class FormulaError extends Error {
  readonly _tag = 'FormulaError'
}

/**
 * The formula with this id.
 * @throws FormulaError for an unknown id; the message lists the near ones.
 */
export function findFormula(id: string): Formula {
  const found = Object.hasOwn(formulas, id) ? formulas[id as keyof typeof formulas] : undefined
  if (found !== undefined) return found
  throw new FormulaError(`unknown formula "${id}"; near ones: ${nearNames(id, formulaIds).join(', ')}`)
}

const explain = (name: string, variable: Variable): string => `${name} [${variable.unit}]: ${variable.meaning}`

function checked(owner: Formula, name: string, variable: Variable, given: FormulaInput | undefined) {
  const where = `formula ${owner.id} (${owner.title})`
  const value = given ?? variable.default
  if (value === undefined) {
    if (variable.kind === 'optionalNumber') return undefined
    throw new FormulaError(`${where} needs ${explain(name, variable)}`)
  }
  const finite = (one: unknown): boolean => typeof one === 'number' && Number.isFinite(one)
  const fits =
    variable.kind === 'text'
      ? typeof value === 'string'
      : variable.kind === 'numbers'
        ? Array.isArray(value) && value.every(finite)
        : finite(value)
  if (fits) return value
  const expected = variable.kind === 'text' ? 'text' : variable.kind === 'numbers' ? 'a list of numbers' : 'a number'
  throw new FormulaError(`${where}: expected ${expected} for ${explain(name, variable)}; found ${String(value)}`)
}

/** Inputs far outside what hardware and models have overflow, and what came of that is no answer. */
function refuseOverflow(owner: Formula, name: string, result: FormulaOutput): void {
  const values: readonly FormulaOutput[] = Array.isArray(result) ? result : [result]
  if (values.every((value) => typeof value !== 'number' || Number.isFinite(value))) return
  throw new FormulaError(
    `formula ${owner.id} (${owner.title}): ${name} [${owner.outputs[name]}] is beyond what a number can hold; check the units of the inputs`,
  )
}

/**
 * Evaluates a formula of the book on named inputs in SI units; variables with defaults may be left out.
 * @throws FormulaError for an unknown id, an unknown or missing variable, a value of the wrong kind, or inputs so large
 *   or small that a result overflows.
 */
export function evaluateFormula(
  id: string,
  inputs: Readonly<Record<string, FormulaInput>>,
): Readonly<Record<string, FormulaOutput>> {
  const found = findFormula(id)
  const known = Object.keys(found.variables)
  for (const name of Object.keys(inputs)) {
    if (known.includes(name)) continue
    throw new FormulaError(`formula ${id} has no variable "${name}"; it takes ${known.join(', ')}`)
  }
  const values = Object.entries(found.variables).map(([name, variable]) => [
    name,
    checked(found, name, variable, Object.hasOwn(inputs, name) ? inputs[name] : undefined),
  ])
  const results = found.evaluate(Object.fromEntries(values))
  for (const [name, result] of Object.entries(results)) refuseOverflow(found, name, result)
  return Object.fromEntries(Object.keys(found.outputs).map((name) => [name, results[name]]))
}
