import { setSeconds } from '@windtunnel/des'
import { defineFormat } from '../format.ts'
import { isTable, JsonRecord } from '../json.ts'
import { addRun, type TraceRow } from '../row.ts'
import { SessionNumbers } from '../sessionNumbers.ts'

/** Parts of a prompt in their order; what the user writes is its own. */
const PARTS = ['sys_prompt', 'passages_ids', 'history', 'web_search'] as const

/**
 * The trace numbers its segments but does not say how long they are. A segment seen for the first time is taken to have
 * an equal share of the tokens that the known ones leave; from then on it keeps that length, so that it can be shared.
 */
class SegmentLengths {
  private readonly known = new Map<number, number>()

  lay(ids: readonly number[], row: TraceRow): void {
    let left = row.inputTokens - 1
    let unknown = 1
    for (const id of ids) {
      const tokens = this.known.get(id)
      if (tokens === undefined) unknown++
      else left -= tokens
    }
    const share = Math.max(1, Math.floor(left / unknown))
    let room = row.inputTokens - 1
    for (const id of ids) {
      const tokens = this.known.get(id) ?? share
      if (!this.known.has(id)) this.known.set(id, tokens)
      if (tokens > room) return
      addRun(row, id, tokens)
      room -= tokens
    }
  }
}

export const ragPulse = defineFormat({
  name: 'ragPulse',
  sentence:
    'RAGPulse: JSONL of timestamp (seconds as text), input_length, output_length, hash_ids {sys_prompt, passages_ids, history, web_search, user_input}, session_id. Segment lengths are not in the file and are estimated.',
  options: {},
  timeField: 'timestamp',
  recognises: ({ json }) => json !== undefined && isTable(json['hash_ids']) && 'input_length' in json,
  open: () => {
    const sessions = new SessionNumbers()
    const segments = new SegmentLengths()
    return {
      line: (text, line, rows) => {
        const record = JsonRecord.parse('ragPulse', text, line)
        const row = rows.add(line)
        setSeconds(row.time, record.number('timestamp', true))
        row.hasTime = true
        row.inputTokens = record.whole('input_length')
        row.outputTokens = record.whole('output_length')
        if (record.has('session_id')) row.session = sessions.of(record.name('session_id'))
        const hashes = record.record('hash_ids')
        const ids = PARTS.flatMap((part) => (hashes.has(part) ? hashes.list(part) : []))
        if (!ids.every((id): id is number => Number.isSafeInteger(id)))
          record.fail('hash_ids', 'lists of whole numbers')
        segments.lay(ids as number[], row)
      },
    }
  },
})
