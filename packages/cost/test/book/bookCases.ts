import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/**
 * Runs the worked examples and quizzes of the scaling book, one named test a case. A chapter gives one adapter a case,
 * which renames inputs, converts units, and calls public functions; it holds no arithmetic of its own.
 */
type CaseValue = number | boolean | string | readonly CaseValue[] | { readonly [name: string]: CaseValue }

interface BookCase {
  readonly id: string
  readonly chapter: number
  readonly edition: string
  readonly about: string
  readonly inputs: Readonly<Record<string, { readonly value: CaseValue; readonly unit: string }>>
  readonly expected: readonly { readonly name: string; readonly value: CaseValue; readonly unit: string }[]
  readonly rel_tol: number
  readonly formula: readonly string[]
}

/** Typed access to the inputs of a case; asking for what is not there, or for the wrong type, fails the test. */
export interface CaseInputs {
  readonly edition: string
  number(name: string): number
  numbers(name: string): readonly number[]
  rows(name: string): readonly (readonly number[])[]
  text(name: string): string
  texts(name: string): readonly string[]
  /** A named mesh: axis -> devices. */
  mesh(name: string): Readonly<Record<string, number>>
  /** The value as it stands, for the rare mixed one. */
  raw(name: string): unknown
}

export type Adapter = (inputs: CaseInputs) => Readonly<Record<string, unknown>>

export const bookCases = JSON.parse(
  readFileSync(new URL('../fixtures/scaling-book.json', import.meta.url), 'utf8'),
) as readonly BookCase[]

const isNumbers = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'number')

function inputsOf(one: BookCase): CaseInputs {
  const take = (name: string, is: (value: unknown) => boolean): never => {
    const value = one.inputs[name]?.value
    if (!is(value)) throw new Error(`case ${one.id}: input "${name}" is ${JSON.stringify(value)}`)
    return value as never
  }
  return {
    edition: one.edition,
    number: (name) => take(name, (value) => typeof value === 'number'),
    numbers: (name) => take(name, isNumbers),
    rows: (name) => take(name, (value) => Array.isArray(value) && value.every(isNumbers)),
    text: (name) => take(name, (value) => typeof value === 'string'),
    texts: (name) =>
      take(name, (value) => Array.isArray(value) && value.every((element) => typeof element === 'string')),
    mesh: (name) => take(name, (value) => typeof value === 'object' && isNumbers(Object.values(value ?? {}))),
    raw: (name) => take(name, (value) => value !== undefined),
  }
}

/** Numbers within the case's relative tolerance; words, yes or no, and shapes exactly. */
function expectClose(found: unknown, expected: CaseValue, tolerance: number, what: string): void {
  if (Array.isArray(expected)) {
    expect(found, what).toHaveLength(expected.length)
    expected.forEach((one, index) => {
      expectClose((found as readonly unknown[])[index], one, tolerance, `${what}[${index}]`)
    })
  } else if (typeof expected === 'number') {
    expect(found, what).toBeTypeOf('number')
    const error = Math.abs((found as number) - expected)
    const allowed = Math.max(tolerance, 1e-12) * Math.abs(expected)
    expect(error, `${what}: expected ${expected}, found ${String(found)}`).toBeLessThanOrEqual(allowed)
  } else {
    expect(found, what).toStrictEqual(expected)
  }
}

/**
 * One test for each case of the chapter; a case without an adapter fails.
 * @param adapters case id -> call
 */
export function testChapter(chapter: number, adapters: Readonly<Record<string, Adapter>>): void {
  const cases = bookCases.filter((one) => one.chapter === chapter)
  describe(`chapter ${chapter} of the scaling book`, () => {
    test('every adapter belongs to a case of the chapter', () => {
      const ids = cases.map((one) => one.id)
      expect(Object.keys(adapters).filter((id) => !ids.includes(id))).toEqual([])
    })
    for (const one of cases) {
      test(`${one.id}: ${one.about}`, () => {
        const adapter = adapters[one.id]
        if (adapter === undefined) throw new Error(`no adapter for case ${one.id}`)
        const found = adapter(inputsOf(one))
        for (const { name, value } of one.expected) expectClose(found[name], value, one.rel_tol, name)
      })
    }
  })
}
