import { type Time, zeroTime } from '@windtunnel/des'
import { count, withDefault } from '../../parts/units.ts'
import { readClock } from '../clockText.ts'
import { TraceError } from '../errors.ts'
import { defineFormat } from '../format.ts'
import { isTable, JsonRecord } from '../json.ts'
import type { RowQueue } from '../row.ts'
import { SessionNumbers } from '../sessionNumbers.ts'
import { charactersPerToken, layTexts, textOf } from './openAiBatch.ts'

interface Span {
  readonly start: Time
  readonly attributes: JsonRecord
}

/** The messages of a span: a JSON text, or a list. */
function messagesOf(attributes: JsonRecord): string[] {
  const field = 'gen_ai.input.messages'
  let value = attributes.table[field]
  if (typeof value === 'string') {
    try {
      value = JSON.parse(value)
    } catch {
      attributes.fail(field, 'a JSON list of messages')
    }
  }
  if (!Array.isArray(value)) attributes.fail(field, 'a list of messages')
  return (value as unknown[]).map((message) => (isTable(message) ? textOf(message['content'] ?? message['parts']) : ''))
}

function spansOf(record: JsonRecord): Span[] {
  const spans = record.records('spans').flatMap((span) => {
    if (!span.has('attributes') || !span.record('attributes').has('gen_ai.input.messages')) return []
    const start = zeroTime()
    if (!readClock(span.textOf('start_time'), start)) span.fail('start_time', 'an ISO time')
    return [{ start, attributes: span.record('attributes') }]
  })
  return spans.sort((a, b) => a.start.seconds - b.start.seconds || a.start.ticks - b.start.ticks)
}

export const otel = defineFormat({
  name: 'otel',
  sentence:
    'OpenTelemetry spans of generative-AI calls (as inference-perf keeps them): JSON of trace_id, spans. Token counts are the usage attributes, or estimated from text; a trace is a session; messages in common are shared.',
  options: {
    charactersPerToken,
    outputTokens: withDefault(count('tokens', 'Output of calls that say neither usage nor text.'), 256),
  },
  timeField: 'start_time',
  recognises: ({ text }) => /"spans"\s*:/.test(text) && /"trace_id"\s*:/.test(text),
  open: (values) => ({ document: (text, rows) => readDocument(text, rows, values) }),
})

function readDocument(
  text: string,
  rows: RowQueue,
  values: { charactersPerToken: number; outputTokens: number },
): void {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new TraceError('otel', { line: 1 }, 'a JSON document', String(error))
  }
  const sessions = new SessionNumbers()
  for (const trace of Array.isArray(value) ? value : [value]) {
    if (!isTable(trace)) throw new TraceError('otel', { line: 1 }, 'a trace with spans', typeof trace)
    const record = new JsonRecord('otel', 1, trace, '')
    const session = sessions.of(record.name('trace_id'))
    for (const { start, attributes } of spansOf(record)) {
      const row = rows.add(1)
      row.session = session
      row.hasTime = true
      row.time.seconds = start.seconds
      row.time.ticks = start.ticks
      layTexts(messagesOf(attributes), values.charactersPerToken, row)
      if (attributes.has('gen_ai.usage.input_tokens')) {
        row.runs = 0
        row.inputTokens = attributes.whole('gen_ai.usage.input_tokens')
      }
      row.outputTokens = outputOf(attributes, values)
      if (attributes.has('gen_ai.request.max_tokens')) row.maxTokens = attributes.whole('gen_ai.request.max_tokens')
    }
  }
}

function outputOf(attributes: JsonRecord, values: { charactersPerToken: number; outputTokens: number }): number {
  if (attributes.has('gen_ai.usage.output_tokens')) return attributes.whole('gen_ai.usage.output_tokens')
  if (!attributes.has('gen_ai.output.text')) return values.outputTokens
  return Math.max(1, Math.ceil(attributes.textOf('gen_ai.output.text').length / values.charactersPerToken))
}
