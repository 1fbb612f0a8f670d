import { count, withDefault } from '../../parts/units.ts'
import { setUnits } from '../clockText.ts'
import { defineFormat } from '../format.ts'
import { JsonRecord } from '../json.ts'
import { SessionNumbers } from '../sessionNumbers.ts'
import { readBlockHashes } from './blockHashes.ts'

/** Units of time in a second. */
export const timeUnits = { seconds: 1, milliseconds: 1000, microseconds: 1e6, nanoseconds: 1e9 } as const
export const timeUnitNames = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const

export const blockTokensOption = (byDefault: number) =>
  withDefault(
    count('tokens', 'Tokens in one block of the trace; the blocks of an engine may be of another size.', {
      minimum: 1,
      maximum: 65536,
    }),
    byDefault,
  )

export const mooncake = defineFormat({
  name: 'mooncake',
  sentence:
    'Mooncake and its kin: JSONL of timestamp, input_length, output_length, hash_ids (chained block hashes), and sometimes session_id and delay (same unit).',
  options: {
    timeUnit: withDefault(
      { kind: 'choice', names: timeUnitNames, sentence: 'Unit of timestamp and delay.' } as const,
      'milliseconds',
    ),
    blockTokens: blockTokensOption(512),
  },
  timeField: 'timestamp',
  recognises: ({ json }) =>
    json !== undefined &&
    'input_length' in json &&
    'output_length' in json &&
    !('chat_id' in json) &&
    !isTableOf(json['hash_ids']),
  open: ({ timeUnit, blockTokens }) => {
    const perSecond = timeUnits[timeUnit]
    const sessions = new SessionNumbers()
    return {
      line: (text, line, rows) => {
        const record = JsonRecord.parse('mooncake', text, line)
        const row = rows.add(line)
        row.inputTokens = record.whole('input_length')
        row.outputTokens = record.whole('output_length')
        if (record.has('hash_ids')) readBlockHashes(record, row, blockTokens)
        if (record.has('session_id')) row.session = sessions.of(record.name('session_id'))
        row.continues = row.session > 0
        if (record.has('timestamp')) {
          setUnits(row.time, record.number('timestamp'), perSecond)
          row.hasTime = true
        } else if (row.session > 0 && record.has('delay')) row.afterSeconds = record.number('delay') / perSecond
      },
    }
  },
})

const isTableOf = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
