import { UnknownName } from '@windtunnel/hardware'
import type { Calculator } from '../calculator.ts'
import { kebabCase, snakeCase } from '../edge/names.ts'
import * as all from './all.ts'

/** Every calculator by name. Adding one is one file (or a part of a family's) and one line in all.ts. */
export const calculators = all

export type CalculatorName = keyof typeof calculators

export const calculatorNames = Object.keys(calculators).sort() as readonly CalculatorName[]

/** A calculator with its name, its types left open. Inputs must come through `runCalculator` or `readInputs`. */
export interface NamedCalculator extends Omit<Calculator<unknown, unknown>, 'compute'> {
  readonly name: CalculatorName
  readonly compute: (input: never) => unknown
}

/** All of them for listing, in the order of their names. */
export const namedCalculators: readonly NamedCalculator[] = calculatorNames.map((name) => ({
  ...calculators[name],
  name,
}))

/** The calculator with this name, in camel, snake or kebab case. Throws UnknownName, with near names. */
export function findCalculator(name: string): NamedCalculator {
  const wanted = snakeCase(name)
  const found = namedCalculators.find((one) => one.name === name || snakeCase(one.name) === wanted)
  if (found === undefined) throw new UnknownName('calculator', name, calculatorNames.map(kebabCase))
  return found
}
