import { fieldsOf } from '@windtunnel/calculators/calculator'
import { namedCalculators } from '@windtunnel/calculators/calculators/index'
import type { FieldDocs } from '@windtunnel/calculators/fields/doc'
import { describe, expect, it } from 'vitest'
import { compute } from '../src/calculators/compute.ts'
import { inputFields, typedFrom, wordsOf } from '../src/calculators/inputs.ts'
import { resultLines } from '../src/calculators/results.ts'
import { valuesAround } from '../src/calculators/sweep.ts'

const docs: FieldDocs = {
  tp: { kind: 'number', integer: true, minimum: 1, sentence: 'Ranks.' },
  link: {
    kind: 'group',
    sentence: 'The link.',
    fields: { bytesPerSecond: { kind: 'number', integer: false, unit: 'B/s', above: 0, sentence: 'Bandwidth.' } },
  },
}

describe('calculator forms', () => {
  it('open groups up and write what the command line would be given', () => {
    expect(inputFields(docs).map((field) => field.path)).toEqual(['tp', 'link.bytesPerSecond'])
    expect(wordsOf(typedFrom({ tp: 8, link: { bytesPerSecond: 50e9 } }, docs))).toEqual([
      'tp=8',
      'link.bytesPerSecond=50000000000',
    ])
  })

  it('show results in units that read well, with all digits beside', () => {
    const output = {
      kind: 'group' as const,
      sentence: 'Results.',
      fields: { time: { kind: 'number' as const, integer: false, unit: 's', sentence: 'Time.' } },
    }
    expect(resultLines(output, { time: 0.0179 })).toEqual([
      { path: 'time', sentence: 'Time.', shown: '17.9 ms', exact: '0.0179 s', number: 0.0179, unit: 's' },
    ])
  })

  it('vary an input around what is typed, within its bounds', () => {
    const tp = docs['tp']
    expect(tp === undefined ? [] : valuesAround(tp, 8)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256])
  })

  for (const calculator of namedCalculators)
    it(`compute the example of ${calculator.name} from its form`, () => {
      const typed = typedFrom(calculator.example, fieldsOf(calculator.input.doc))
      const computed = compute(calculator, typed)
      expect(computed.ok ? [] : computed.problems).toEqual([])
      expect(computed.ok && computed.lines.length).toBeGreaterThan(0)
    })
})
