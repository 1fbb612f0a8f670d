import { setSeconds } from '@windtunnel/des'
import { defineFormat } from '../format.ts'
import { JsonRecord } from '../json.ts'

export const measuredRequests = defineFormat({
  name: 'measuredRequests',
  sentence:
    "LLMServingSim's measured runs: JSONL of request_id, input_toks, output_toks, arrival_time (Unix seconds) and the engine's own times, which are passed over.",
  options: {},
  timeField: 'arrival_time',
  recognises: ({ json }) => json !== undefined && 'input_toks' in json && 'arrival_time' in json,
  open: () => ({
    line: (text, line, rows) => {
      const record = JsonRecord.parse('measuredRequests', text, line)
      const row = rows.add(line)
      setSeconds(row.time, record.number('arrival_time'))
      row.hasTime = true
      row.inputTokens = record.whole('input_toks')
      row.outputTokens = record.whole('output_toks')
    },
  }),
})
