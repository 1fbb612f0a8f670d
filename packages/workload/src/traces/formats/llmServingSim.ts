import { setUnits } from '../clockText.ts'
import { ContentNumber } from '../contentNumber.ts'
import { defineFormat } from '../format.ts'
import { JsonRecord } from '../json.ts'
import { addRun, type RowQueue, type TraceRow } from '../row.ts'
import { SessionNumbers } from '../sessionNumbers.ts'
import { blockTokensOption } from './mooncake.ts'

const NANOSECONDS = 1e9

/** Runs of `blockTokens` token ids; a last, partial block is text of its own. */
function readTokenIds(record: JsonRecord, row: TraceRow, blockTokens: number): void {
  const ids = record.list('input_tok_ids')
  if (ids.length !== row.inputTokens)
    record.fail('input_tok_ids', `${row.inputTokens} token ids (input_toks), not ${ids.length}`)
  const content = new ContentNumber()
  for (let at = 0; at + blockTokens <= ids.length; at += blockTokens) {
    content.start(0)
    for (let i = at; i < at + blockTokens; i++) content.add(Number(ids[i]))
    addRun(row, content.value, blockTokens)
  }
}

function readLengths(record: JsonRecord, row: TraceRow, blockTokens: number): void {
  row.inputTokens = record.whole('input_toks')
  row.outputTokens = record.whole('output_toks')
  if (record.has('input_tok_ids')) readTokenIds(record, row, blockTokens)
}

/** The calls of an agent: the first at its time, each later one when the one before has ended and its tool has run. */
function readSession(record: JsonRecord, rows: RowQueue, session: number, blockTokens: number): void {
  let toolSeconds = 0
  record.records('sub_requests').forEach((call, i, calls) => {
    const row = rows.add(record.line)
    readLengths(call, row, blockTokens)
    row.session = session
    row.continues = i < calls.length - 1
    if (i === 0) {
      setUnits(row.time, record.number('arrival_time_ns'), NANOSECONDS)
      row.hasTime = true
    } else row.afterSeconds = toolSeconds
    toolSeconds = call.has('tool_duration_ns') ? call.number('tool_duration_ns') / NANOSECONDS : 0
  })
}

export const llmServingSim = defineFormat({
  name: 'llmServingSim',
  sentence:
    'LLMServingSim: JSONL of input_toks, output_toks, arrival_time_ns (and token ids), or of sessions with sub_requests and tool_duration_ns; both may mix.',
  options: { blockTokens: blockTokensOption(16) },
  timeField: 'arrival_time_ns',
  recognises: ({ json }) =>
    json !== undefined && 'arrival_time_ns' in json && ('input_toks' in json || 'sub_requests' in json),
  open: ({ blockTokens }) => {
    const sessions = new SessionNumbers()
    return {
      line: (text, line, rows) => {
        const record = JsonRecord.parse('llmServingSim', text, line)
        if (record.has('sub_requests')) return readSession(record, rows, sessions.fresh(), blockTokens)
        const row = rows.add(line)
        readLengths(record, row, blockTokens)
        setUnits(row.time, record.number('arrival_time_ns'), NANOSECONDS)
        row.hasTime = true
      },
    }
  },
})
