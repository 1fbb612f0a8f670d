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

/**
 * Evaluates a formula of the book on named inputs in SI units; variables with defaults may be left out.
 * @throws FormulaError for an unknown id, an unknown or missing variable, or a value of the wrong kind.
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
  return Object.fromEntries(Object.keys(found.outputs).map((name) => [name, results[name]]))
}
