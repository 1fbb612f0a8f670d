import { readFileSync } from 'node:fs'
import { type Formula, formulas } from '@windtunnel/cost'
import { expect, test } from 'vitest'
import { bookPath, bookTable } from '../../../../scripts/bookTable.ts'

const rows = bookTable()
  .split('\n')
  .filter((line) => /^\| [A-Z]\d+ \|/.test(line))

test('docs/book.md is what scripts/bookTable.ts writes', () => {
  expect(readFileSync(bookPath, 'utf8')).toBe(bookTable())
})

test('every formula of the book is computed by a function of the package and tested by a case or by hand', () => {
  expect(rows).toHaveLength(Object.values<Formula>(formulas).length)
  const untested = rows.filter((row) => / \|\s*\|$/.test(row)).map((row) => row.slice(2, 5))
  expect(untested).toEqual([])
  const unlinked = rows.filter((row) => !row.includes('](../packages/cost/src/')).map((row) => row.slice(2, 5))
  expect(unlinked).toEqual([])
})
