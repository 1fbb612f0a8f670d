import { count, ratio, withDefault } from '../../parts/units.ts'
import { ContentNumber } from '../contentNumber.ts'
import { defineFormat } from '../format.ts'
import { isTable, JsonRecord } from '../json.ts'
import { addRun, type TraceRow } from '../row.ts'

/** The texts of a request in order: its messages, or its prompt. */
function textsOf(body: JsonRecord): string[] {
  if (body.has('prompt')) return [textOf(body.table['prompt'])]
  return body.records('messages').map((message) => textOf(message.table['content']))
}

/** A text, or the texts of a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content))
    return content.map((part) => (isTable(part) ? textOf(part['text'] ?? part['content']) : textOf(part))).join('')
  return ''
}

/** Lays texts, whose tokens are estimated from characters, one after the other as runs of a prompt. */
export function layTexts(texts: readonly string[], charactersPerToken: number, row: TraceRow): void {
  const content = new ContentNumber()
  row.inputTokens = 0
  for (const text of texts) {
    const tokens = Math.max(1, Math.ceil(text.length / charactersPerToken))
    row.inputTokens += tokens
    addRun(row, content.start(tokens).addText(text).value, tokens)
  }
}

export const charactersPerToken = withDefault(
  ratio('Characters in a token, to estimate lengths from text.', { above: 0 }),
  4,
)

export const openAiBatch = defineFormat({
  name: 'openAiBatch',
  sentence:
    'OpenAI batch files: JSONL of custom_id, method, url, body {messages or prompt, max_tokens}. No times; token counts are estimated from text, outputs are max_tokens.',
  options: {
    charactersPerToken,
    outputTokens: withDefault(count('tokens', 'Output of requests without max_tokens.'), 256),
  },
  timeField: undefined,
  recognises: ({ json }) => json !== undefined && 'custom_id' in json && isTable(json['body']),
  open: (values) => ({
    line: (text, line, rows) => {
      const record = JsonRecord.parse('openAiBatch', text, line)
      const body = record.record('body')
      const row = rows.add(line)
      layTexts(textsOf(body), values.charactersPerToken, row)
      const limit = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'].find((field) => body.has(field))
      row.outputTokens = limit === undefined ? values.outputTokens : body.whole(limit)
      row.maxTokens = limit === undefined ? undefined : row.outputTokens
    },
  }),
})
