import { fieldsOf } from '@windtunnel/calculators/calculator'
import { namedCalculators } from '@windtunnel/calculators/calculators/index'
import type { FieldDocs } from '@windtunnel/calculators/fields/doc'
import { describe, expect, it } from 'vitest'
import { compute } from '../src/calculators/compute.ts'
import { inputFields, typedFrom, wordsOf } from '../src/calculators/inputs.ts'
import { pipelineWork } from '../src/calculators/pictures/pipelineChart.tsx'
import { resultLines, resultTables } from '../src/calculators/results.ts'
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

  it('show lists of groups as tables, without columns that say nothing, each figure in its own unit', () => {
    const number = { kind: 'number' as const, integer: false, sentence: 'A figure.' }
    const word = { kind: 'text' as const, sentence: 'A word.' }
    const items = {
      kind: 'group' as const,
      sentence: 'A row.',
      fields: { what: word, at: { ...number, unit: '1' }, unit: word, ep: number },
    }
    const doc = {
      kind: 'group' as const,
      sentence: 'Results.',
      fields: { flips: { kind: 'list' as const, items, minimumItems: 0, sentence: 'Flips.' } },
    }
    const flips = [
      { what: 'deadline', at: 0.119, unit: 's', ep: 1 },
      { what: 'bandwidth', at: 3.07e12, unit: 'B/s', ep: 1 },
    ]
    expect(resultTables(doc, { flips }).map(({ columns, rows }) => [columns.map(({ name }) => name), rows])).toEqual([
      [
        ['what', 'at'],
        [
          ['deadline', '119 ms'],
          ['bandwidth', '3.07 TB/s'],
        ],
      ],
    ])
    expect(resultLines(doc, { flips })).toEqual([])
  })

  it('draw a pipeline in which a micro-batch waits for its stage and a stage for its micro-batch', () => {
    // Stages of 1 s and 2 s, two micro-batches: the second waits at stage 1 until 3 s.
    expect(pipelineWork([1, 2], 2)).toEqual([
      { stage: 0, batch: 0, from: 0, to: 1 },
      { stage: 1, batch: 0, from: 1, to: 3 },
      { stage: 0, batch: 1, from: 1, to: 2 },
      { stage: 1, batch: 1, from: 3, to: 5 },
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
      expect(computed.ok && computed.lines.length + computed.tables.length).toBeGreaterThan(0)
    })
})
