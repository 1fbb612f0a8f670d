import { setSeconds } from '@windtunnel/des'
import { defineFormat } from '../format.ts'
import { JsonRecord } from '../json.ts'
import { addRun } from '../row.ts'
import { SessionNumbers } from '../sessionNumbers.ts'

export const windtunnelJsonl = defineFormat({
  name: 'windtunnelJsonl',
  sentence:
    'Our own JSONL: inputTokens, outputTokens, and any of arrivalSeconds, maxTokens, session, afterSeconds, continues (a later row of the session waits for this one), prefix (a list of [content number, tokens]).',
  options: {},
  timeField: 'arrivalSeconds',
  recognises: ({ json }) => json !== undefined && 'inputTokens' in json && 'outputTokens' in json,
  open: () => {
    const sessions = new SessionNumbers()
    return {
      line: (text, line, rows) => {
        const record = JsonRecord.parse('windtunnelJsonl', text, line)
        const row = rows.add(line)
        row.inputTokens = record.whole('inputTokens')
        row.outputTokens = record.whole('outputTokens')
        if (record.has('session')) row.session = sessions.of(record.name('session'))
        row.continues = row.session > 0 && record.table['continues'] === true
        if (record.has('maxTokens')) row.maxTokens = record.whole('maxTokens')
        if (record.has('afterSeconds')) {
          if (row.session === 0) record.fail('afterSeconds', 'a session beside it')
          row.afterSeconds = record.number('afterSeconds')
        } else if (record.has('arrivalSeconds')) {
          setSeconds(row.time, record.number('arrivalSeconds'))
          row.hasTime = true
        }
        if (!record.has('prefix')) return
        for (const run of record.list('prefix')) {
          const [content, tokens] = Array.isArray(run) ? run : []
          if (!Number.isSafeInteger(content) || !Number.isSafeInteger(tokens) || tokens < 1) {
            record.fail('prefix', 'a list of [content number, tokens]')
          }
          addRun(row, content, tokens)
        }
      },
    }
  },
})
