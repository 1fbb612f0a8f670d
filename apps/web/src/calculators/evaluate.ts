import { fieldsOf } from '@windtunnel/calculators/calculator'
import { findCalculator } from '@windtunnel/calculators/calculators/index'
import { readAssignments } from '@windtunnel/calculators/edge/readInputs'
import { runCalculator } from '@windtunnel/calculators/edge/runCalculator'
import { type Typed, wordsOf } from './inputs.ts'

export type Results = Readonly<Record<string, unknown>>

/** The results of a calculator for what is typed, of which it takes the fields it has; undefined when it refuses them. */
export const evaluate = (name: string, typed: Typed): Results | undefined => {
  const { doc } = findCalculator(name).input
  const known = fieldsOf(doc)
  const own = Object.fromEntries(Object.entries(typed).filter(([path]) => (path.split('.')[0] ?? '') in known))
  try {
    return runCalculator(name, readAssignments(doc, wordsOf(own))).results
  } catch {
    return undefined
  }
}

export const numberOf = (results: Results | undefined, name: string): number | undefined => {
  const value = results?.[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export const numbersOf = (results: Results | undefined, name: string): number[] => {
  const value = results?.[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []
}

export const rowsOf = (results: Results | undefined, name: string): Results[] => {
  const value = results?.[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}
