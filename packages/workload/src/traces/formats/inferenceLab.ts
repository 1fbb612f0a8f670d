import { setSeconds } from '@windtunnel/des'
import { defineFormat } from '../format.ts'
import { JsonRecord } from '../json.ts'
import { SessionNumbers } from '../sessionNumbers.ts'

export const inferenceLab = defineFormat({
  name: 'inferenceLab',
  sentence:
    'inference-lab sessions: JSONL of id, steps [{input, new, output, gap (seconds), kind}]; without a time, sessions start at time 0 unless given arrivals.',
  options: {},
  timeField: 't',
  recognises: ({ json }) => json !== undefined && 'id' in json && Array.isArray(json['steps']),
  open: () => {
    const sessions = new SessionNumbers()
    return {
      line: (text, line, rows) => {
        const record = JsonRecord.parse('inferenceLab', text, line)
        const session = sessions.fresh()
        record.records('steps').forEach((step, i, steps) => {
          const row = rows.add(line)
          row.session = session
          row.continues = i < steps.length - 1
          row.inputTokens = step.whole('input')
          row.outputTokens = step.whole('output')
          if (i > 0) row.afterSeconds = step.has('gap') ? step.number('gap') : 0
          else {
            setSeconds(row.time, record.has('t') ? record.number('t') : 0)
            row.hasTime = true
          }
        })
      },
    }
  },
})
