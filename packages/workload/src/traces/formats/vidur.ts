import { csvParser, headerNames } from '../csv.ts'
import { defineFormat } from '../format.ts'
import { addTimedRow } from '../timedRow.ts'

const COLUMNS = ['num_prefill_tokens', 'num_decode_tokens'] as const

export const vidur = defineFormat({
  name: 'vidur',
  sentence: 'Vidur: CSV of arrived_at (seconds), num_prefill_tokens, num_decode_tokens.',
  options: {},
  timeField: 'arrived_at',
  recognises: ({ firstLine }) => ['arrived_at', ...COLUMNS].every((name) => headerNames(firstLine).includes(name)),
  open: () =>
    csvParser('vidur', ['arrived_at', ...COLUMNS], (header) => {
      const time = header.find('arrived_at')!
      const input = header.find('num_prefill_tokens')!
      const output = header.find('num_decode_tokens')!
      return (cells, rows) => {
        addTimedRow(rows, cells, { time, input, output })
      }
    }),
})

export const vidurLengths = defineFormat({
  name: 'vidurLengths',
  sentence: 'Vidur length files: CSV of num_prefill_tokens, num_decode_tokens and no times; needs arrivals of its own.',
  options: {},
  timeField: undefined,
  recognises: ({ firstLine }) => {
    const names = headerNames(firstLine)
    return COLUMNS.every((name) => names.includes(name)) && !names.includes('arrived_at')
  },
  open: () =>
    csvParser('vidurLengths', COLUMNS, (header) => {
      const input = header.find('num_prefill_tokens')!
      const output = header.find('num_decode_tokens')!
      return (cells, rows) => {
        const row = rows.add(cells.line)
        row.inputTokens = cells.whole(input)
        row.outputTokens = cells.whole(output)
      }
    }),
})
