import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCases } from '../../src/cases/caseFile.ts'
import { caseLine, caseSummary, runCases } from '../../src/cases/runCases.ts'

const cases = readCases(readFileSync(new URL('../fixtures/parallelism.json', import.meta.url), 'utf8'))
const checks = runCases(cases)

describe('the cases of the parallelism chapter', () => {
  it.each(cases.map((one) => [one.id, one] as const))('%s', (_, one) => {
    expect(
      runCases([one])
        .filter((check) => check.verdict === 'failed')
        .map(caseLine),
    ).toEqual([])
  })

  it('agree in all but what the file itself could not reproduce', () => {
    expect(caseSummary(checks)).toBe('388 passed, 0 failed')
    expect(checks.filter((check) => check.verdict === 'known').map((check) => check.id)).toEqual([
      'c6-topo-a2a-seed-doubling',
      'c6-conn-ub-load',
      'c6-sn-hbm-sessions',
      'c6-sn-engram-table',
      'c6-sn-engram-nvlink',
    ])
  })
})

describe('a case that does not agree', () => {
  const broken = (status: string, expected: object, inputs: object = { n: 3 }) =>
    runCases(readCases(JSON.stringify([{ id: 'x', calc: 'full_mesh', inputs, expected: [expected], status }])))

  it('is told as id, name, expected and got', () => {
    expect(broken('reproduced', { name: 'links', value: 4, abs_tol: 0.5 }).map(caseLine)).toEqual(['x links 4 3'])
  })

  it('is known where the file says that it was not reproduced', () => {
    const found = broken('not_reproduced', { name: 'links', value: 4, abs_tol: 0.5 })
    expect(found.map(caseLine)).toEqual(['known x links 4 3'])
    expect(caseSummary(found)).toBe('0 passed, 0 failed')
  })

  it('misses the recomputed value even where the printed one is near enough', () => {
    const found = broken('reproduced', { name: 'links', value: 3.1, abs_tol: 0.2, precise: 3.00001 })
    expect(found.map(caseLine)).toEqual(['x links 3.00001 3'])
  })

  it('is told when the result or the calculator does not exist', () => {
    expect(broken('reproduced', { name: 'lonks', value: 4 }).map(caseLine)).toEqual(['x lonks 4 no such result'])
  })

  it('is told when an input does not fit', () => {
    const [line] = broken('reproduced', { name: 'links', value: 4 }, { n: 0 }).map(caseLine)
    expect(line).toMatch(/^x links 4 full-mesh: n: expected a whole number, at least 1; found 0/)
  })
})
