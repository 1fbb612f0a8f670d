import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readCases } from '../../src/cases/caseFile.ts'
import { caseLine, caseSummary, runCases } from '../../src/cases/runCases.ts'

// Drawn inputs, one card, no tokens and more ranks than KV heads among them. What must come out was worked out from the
// formulas of the chapter by another program in another language, which shares nothing with this one.
const cases = readCases(readFileSync(new URL('../fixtures/recomputed.json', import.meta.url), 'utf8'))

it('68 of the 70 calculators give what their formulas give elsewhere, to 1e-9, for four drawn sets of inputs', () => {
  const checks = runCases(cases)
  expect(checks.filter((check) => check.verdict !== 'passed').map(caseLine)).toEqual([])
  expect(caseSummary(checks)).toBe('770 passed, 0 failed')
  expect(new Set(cases.map((one) => one.calc)).size).toBe(68)
})
