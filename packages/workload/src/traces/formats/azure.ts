import { readClock } from '../clockText.ts'
import { csvParser, headerNames } from '../csv.ts'
import { defineFormat } from '../format.ts'

const COLUMNS = ['TIMESTAMP', 'ContextTokens', 'GeneratedTokens'] as const

export const azure = defineFormat({
  name: 'azure',
  sentence:
    'Azure LLM inference traces of 2023, 2024 and 2025: CSV of TIMESTAMP, ContextTokens, GeneratedTokens (and NumImages, passed over). Times without a zone are UTC.',
  options: {},
  timeField: 'TIMESTAMP',
  recognises: ({ firstLine }) => {
    const names = headerNames(firstLine)
    return COLUMNS.every((name) => names.includes(name))
  },
  open: () =>
    csvParser('azure', COLUMNS, (header) => {
      const [time, input, output] = COLUMNS.map((name) => header.find(name)!) as [number, number, number]
      return (cells, rows) => {
        const row = rows.add(cells.line)
        if (!readClock(cells.textOf(time), row.time)) cells.fail(time, 'a time such as 2023-11-16 18:17:03.9799600')
        row.hasTime = true
        row.inputTokens = cells.whole(input)
        row.outputTokens = cells.whole(output)
      }
    }),
})
