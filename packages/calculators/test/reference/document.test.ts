import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../src/calculator.ts'
import { namedCalculators } from '../../src/calculators/index.ts'
import { runCalculator } from '../../src/edge/runCalculator.ts'
import type { FieldDoc } from '../../src/fields/doc.ts'
import { calculatorsDocument } from '../../src/reference/document.ts'

describe('docs/calculators.md', () => {
  it('is what scripts/calculatorTable.ts writes', () => {
    const page = readFileSync(new URL('../../../../docs/calculators.md', import.meta.url), 'utf8')
    expect(page).toBe(calculatorsDocument())
  })
})

const fieldsIn = (doc: FieldDoc): FieldDoc[] =>
  Object.values(fieldsOf(doc)).flatMap((field) => [field, ...fieldsIn(field)])

describe.each(namedCalculators.map((one) => [one.name, one] as const))('%s', (name, one) => {
  it('explains itself and every field', () => {
    for (const text of [one.title, one.formula, one.validity, one.source]) expect(text.length).toBeGreaterThan(3)
    for (const field of [...fieldsIn(one.input.doc), ...fieldsIn(one.output.doc)]) expect(field.sentence).toMatch(/\.$/)
  })

  it('has an example that computes what it promises', () => {
    const { results } = runCalculator(name, one.example)
    const docs = fieldsOf(one.output.doc)
    for (const [key, value] of Object.entries(results)) {
      expect(docs, key).toHaveProperty(key)
      if (typeof value === 'number') expect(Number.isFinite(value), key).toBe(true)
    }
    for (const [key, doc] of Object.entries(docs))
      if (doc.optional !== true) expect(results[key], key).not.toBeUndefined()
  })
})
