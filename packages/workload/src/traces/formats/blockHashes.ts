import type { JsonRecord } from '../json.ts'
import { addRun, type TraceRow } from '../row.ts'

/**
 * Reads `hash_ids`, one for each block of the prompt, the last of which may be partial, into runs. A row whose count is
 * not ceil(input / block) is an error: the block size is wrong, or the row is.
 */
export function readBlockHashes(record: JsonRecord, row: TraceRow, blockTokens: number): void {
  const ids = record.list('hash_ids')
  const expected = Math.ceil(row.inputTokens / blockTokens)
  if (ids.length !== expected) {
    record.fail(
      'hash_ids',
      `${expected} block hash${expected === 1 ? '' : 'es'} for ${row.inputTokens} tokens in blocks of ${blockTokens} (not ${ids.length})`,
    )
  }
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) record.fail('hash_ids', 'a list of whole numbers')
    addRun(row, id as number, i === ids.length - 1 ? row.inputTokens - blockTokens * i : blockTokens)
  }
}
