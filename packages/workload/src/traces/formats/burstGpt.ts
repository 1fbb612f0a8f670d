import { csvParser, headerNames } from '../csv.ts'
import { defineFormat } from '../format.ts'
import { SessionNumbers } from '../sessionNumbers.ts'
import { addTimedRow } from '../timedRow.ts'

const COLUMNS = ['Timestamp', 'Model', 'Request tokens', 'Response tokens'] as const

export const burstGpt = defineFormat({
  name: 'burstGpt',
  sentence:
    'BurstGPT, with 6 columns (v1) or 8 (v2, v3, with Session ID and Elapsed time): seconds, found by column name. Rows with 0 response tokens failed, and are left out and counted.',
  options: {},
  zeroTokens: 'skip',
  timeField: 'Timestamp',
  recognises: ({ firstLine }) => {
    const names = headerNames(firstLine)
    return COLUMNS.every((name) => names.includes(name))
  },
  open: () =>
    csvParser('burstGpt', COLUMNS, (header) => {
      const time = header.find('Timestamp')!
      const input = header.find('Request tokens')!
      const output = header.find('Response tokens')!
      const session = header.find('Session ID')
      const sessions = new SessionNumbers()
      return (cells, rows) => {
        const row = addTimedRow(rows, cells, { time, input, output })
        if (session !== undefined) row.session = sessions.of(cells.textOf(session))
      }
    }),
})
