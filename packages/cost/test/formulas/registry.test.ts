import * as cost from '@windtunnel/cost'
import { evaluateFormula, type Formula, FormulaError, findFormula, formulaIds, formulas } from '@windtunnel/cost'
import { describe, expect, test } from 'vitest'
import { bookCases } from '../book/bookCases.ts'

const all = Object.values<Formula>(formulas)
const numbered = (letter: string, last: number) => Array.from({ length: last }, (_, at) => `${letter}${at + 1}`)

describe('the registry of formulas', () => {
  test('has every id of the chapters on rooflines, accelerators, sharding, profiling, JAX and GPUs', () => {
    const ids = [
      ...numbered('R', 12),
      ...numbered('H', 12),
      ...numbered('C', 17),
      ...numbered('P', 2),
      ...numbered('J', 1),
      ...numbered('G', 27),
    ]
    expect(ids.filter((id) => !formulaIds.includes(id as never))).toEqual([])
  })

  test('knows every id that a case of the book names', () => {
    const named = [...new Set(bookCases.flatMap((one) => one.formula))]
    expect(named.filter((id) => !formulaIds.includes(id as never))).toEqual([])
  })

  test.each(all.map((one) => [one.id, one] as const))('%s is explained and computed by public functions', (_, one) => {
    expect(one.text).not.toBe('')
    expect(Object.keys(one.outputs).length).toBeGreaterThan(0)
    for (const [name, variable] of Object.entries(one.variables)) {
      expect(variable.unit, name).not.toBe('')
      expect(variable.meaning, name).not.toBe('')
    }
    expect(one.functions.length).toBeGreaterThan(0)
    for (const name of one.functions) expect((cost as Record<string, unknown>)[name], name).toBeTypeOf('function')
  })

  test('says which variable is missing, in its unit', () => {
    expect(() => evaluateFormula('R1', { flops: 1e12 })).toThrow(/R1.*needs peakFlopsPerSecond \[FLOP\/s\]/)
  })

  test('rejects a variable it does not have and lists those it has', () => {
    expect(() => evaluateFormula('R1', { flop: 1 })).toThrow('no variable "flop"; it takes flops, peakFlopsPerSecond')
  })

  test('names the near ids of an unknown one', () => {
    expect(() => findFormula('C99')).toThrow(FormulaError)
    expect(() => findFormula('C99')).toThrow(/C9/)
  })

  test('rejects times below zero', () => {
    expect(() => evaluateFormula('R3', { mathSeconds: 1, moveSeconds: -1 })).toThrow(/moveSeconds.*zero or above/)
    expect(() => evaluateFormula('R1', { flops: -1, peakFlopsPerSecond: 1e12 })).toThrow(/flops.*zero or above/)
    expect(() => evaluateFormula('R2', { bytes: -1, bytesPerSecond: 1e12 })).toThrow(/bytes.*zero or above/)
  })

  test('says so when a result overflows, instead of answering Infinity', () => {
    const huge = { rows: 1e300, inner: 1e300, columns: 1e300 }
    expect(() => evaluateFormula('M2', huge)).toThrow(/M2.*forwardFlops \[FLOP\] is beyond what a number can hold/)
  })

  test('rejects a value of the wrong kind', () => {
    expect(() => evaluateFormula('H8', { shape: 4 })).toThrow(/list of numbers/)
    expect(() => evaluateFormula('R2', { bytes: Number.NaN, bytesPerSecond: 1 })).toThrow(/expected a number/)
  })
})
