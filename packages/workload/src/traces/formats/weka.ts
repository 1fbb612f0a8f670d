import { setSeconds } from '@windtunnel/des'
import { ContentNumber } from '../contentNumber.ts'
import { shown, TraceError } from '../errors.ts'
import { defineFormat } from '../format.ts'
import { isTable, JsonRecord } from '../json.ts'
import { addRun, type RowQueue } from '../row.ts'
import { SessionNumbers } from '../sessionNumbers.ts'

interface Call {
  readonly seconds: number
  readonly call: JsonRecord
}

/** The calls of a session and of its sub-agents, which overlap, in order of time. */
function callsOf(session: JsonRecord): Call[] {
  const calls: Call[] = []
  for (const entry of session.records('requests')) {
    if (entry.table['type'] === 'subagent') {
      for (const call of entry.records('requests')) calls.push({ seconds: call.number('t'), call })
    } else calls.push({ seconds: entry.number('t'), call: entry })
  }
  return calls.sort((a, b) => a.seconds - b.seconds)
}

function readSession(session: JsonRecord, number: number, rows: RowQueue): void {
  const blockTokens = session.whole('block_size')
  const content = new ContentNumber()
  for (const { seconds, call } of callsOf(session)) {
    const row = rows.add(session.line)
    row.session = number
    setSeconds(row.time, seconds)
    row.hasTime = true
    row.inputTokens = call.whole('in')
    row.outputTokens = call.whole('out')
    // Block ids belong to their session; a last, partial block has none, or one beyond the whole blocks.
    const whole = Math.floor(row.inputTokens / blockTokens)
    for (const id of call.has('hash_ids') ? call.list('hash_ids').slice(0, whole) : []) {
      if (!Number.isSafeInteger(id)) call.fail('hash_ids', 'a list of whole numbers')
      addRun(row, content.start(number).add(id as number).value, blockTokens)
    }
  }
}

/** One JSON value, or one a line. */
function sessionsIn(text: string): JsonRecord[] {
  try {
    const value: unknown = JSON.parse(text)
    const list = Array.isArray(value) ? value : [value]
    return list.map((session) => {
      if (!isTable(session))
        throw new TraceError('weka', { line: 1 }, 'a session, or a list of them', shown(JSON.stringify(session)))
      return new JsonRecord('weka', 1, session, '')
    })
  } catch (error) {
    if (error instanceof TraceError || !text.trimEnd().includes('}\n')) throw asTraceError(error)
    const lines = text.split('\n')
    return lines.flatMap((line, i) => (line.trim() === '' ? [] : [JsonRecord.parse('weka', line, i + 1)]))
  }
}

const asTraceError = (error: unknown): TraceError =>
  error instanceof TraceError ? error : new TraceError('weka', { line: 1 }, 'JSON', String(error))

export const weka = defineFormat({
  name: 'weka',
  sentence:
    'Weka agent sessions: JSON (or one a line) of id, block_size, requests [{t, type, in, out, hash_ids}], sub-agents within. Times are from the start of each session.',
  options: {},
  zeroTokens: 'one',
  timeField: 't',
  recognises: ({ text }) => /"block_size"/.test(text) && /"requests"/.test(text) && /"hash_ids"/.test(text),
  open: () => ({
    document: (text, rows) => {
      const sessions = new SessionNumbers()
      for (const session of sessionsIn(text)) readSession(session, sessions.fresh(), rows)
    },
  }),
})
