import { setSeconds } from '@windtunnel/des'
import { csvParser, headerNames } from '../csv.ts'
import { defineFormat } from '../format.ts'
import { SessionNumbers } from '../sessionNumbers.ts'

const COLUMNS = ['input_tokens', 'output_tokens'] as const

export const windtunnelCsv = defineFormat({
  name: 'windtunnelCsv',
  sentence:
    "Our own CSV: input_tokens, output_tokens, and any of arrival_s, max_tokens, session, after_s (sent so long after the session's previous row ended); a session with after_s has its rows together.",
  options: {},
  timeField: 'arrival_s',
  recognises: ({ firstLine }) => COLUMNS.every((name) => headerNames(firstLine).includes(name)),
  open: () =>
    csvParser('windtunnelCsv', COLUMNS, (header) => {
      const [input, output] = COLUMNS.map((name) => header.find(name)!) as [number, number]
      const time = header.find('arrival_s')
      const max = header.find('max_tokens')
      const session = header.find('session')
      const after = header.find('after_s')
      const sessions = new SessionNumbers()
      return (cells, rows) => {
        const row = rows.add(cells.line)
        row.inputTokens = cells.whole(input)
        row.outputTokens = cells.whole(output)
        if (session !== undefined) row.session = sessions.of(cells.textOf(session))
        row.continues = after !== undefined && row.session > 0
        if (max !== undefined && cells.textOf(max) !== '') row.maxTokens = cells.whole(max)
        if (after !== undefined && cells.textOf(after) !== '') {
          if (row.session === 0) cells.fail(after, 'nothing where the row has no session')
          row.afterSeconds = cells.number(after)
        } else if (time !== undefined && cells.textOf(time) !== '') {
          setSeconds(row.time, cells.number(time))
          row.hasTime = true
        }
      }
    }),
})
