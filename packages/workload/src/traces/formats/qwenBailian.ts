import { withDefault } from '../../parts/units.ts'
import { setUnits } from '../clockText.ts'
import { defineFormat } from '../format.ts'
import { JsonRecord } from '../json.ts'
import { SessionNumbers } from '../sessionNumbers.ts'
import { readBlockHashes } from './blockHashes.ts'
import { blockTokensOption, timeUnitNames, timeUnits } from './mooncake.ts'

export const qwenBailian = defineFormat({
  name: 'qwenBailian',
  sentence:
    'Qwen-Bailian: JSONL of chat_id, parent_chat_id (-1 = none), timestamp, input_length, output_length, type, turn, hash_ids. A row has the whole context; turns of a chat are one session.',
  options: {
    timeUnit: withDefault({ kind: 'choice', names: timeUnitNames, sentence: 'Unit of timestamp.' } as const, 'seconds'),
    blockTokens: blockTokensOption(16),
  },
  timeField: 'timestamp',
  recognises: ({ json }) =>
    json !== undefined && 'chat_id' in json && 'parent_chat_id' in json && 'input_length' in json,
  open: ({ timeUnit, blockTokens }) => {
    const sessions = new SessionNumbers()
    return {
      line: (text, line, rows) => {
        const record = JsonRecord.parse('qwenBailian', text, line)
        const row = rows.add(line)
        setUnits(row.time, record.number('timestamp'), timeUnits[timeUnit])
        row.hasTime = true
        row.inputTokens = record.whole('input_length')
        row.outputTokens = record.whole('output_length')
        readBlockHashes(record, row, blockTokens)
        const parent = record.name('parent_chat_id')
        row.session = sessions.of(parent === '-1' ? record.name('chat_id') : parent)
        sessions.alias(record.name('chat_id'), row.session)
      },
    }
  },
})
