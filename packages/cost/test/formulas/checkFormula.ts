import { evaluateFormula, type FormulaInput, type FormulaOutput, findFormula } from '@windtunnel/cost'
import { expect, test } from 'vitest'

/** Numbers within a relative 1e-9; words, yes or no and lists exactly. */
function expectSame(found: FormulaOutput, expected: FormulaOutput, what: string): void {
  if (typeof expected !== 'number') return void expect(found, what).toEqual(expected)
  expect(found, what).toBeTypeOf('number')
  const error = Math.abs((found as number) - expected)
  expect(error, `${what}: expected ${expected}, found ${String(found)}`).toBeLessThanOrEqual(1e-9 * Math.abs(expected))
}

/** One hand-worked test of a formula: inputs in SI units, and the outputs worked out beside it. */
export function check(
  id: string,
  inputs: Readonly<Record<string, FormulaInput>>,
  expected: Readonly<Record<string, FormulaOutput>>,
): void {
  test(`${id}: ${findFormula(id).title}`, () => {
    const found = evaluateFormula(id, inputs)
    for (const [name, value] of Object.entries(expected)) expectSame(found[name], value, name)
  })
}
