import { toSeconds } from '@windtunnel/des'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readTrace,
  TraceError,
  TraceReader,
  type TraceReaderOptions,
  type TraceRow,
  UnknownTrace,
} from '../src/index.ts'

const AZURE = 'TIMESTAMP,ContextTokens,GeneratedTokens'
const azure = (...rows: string[]) => [AZURE, ...rows].join('\n')
const mooncake = (row: object) => JSON.stringify(row)

function failure(text: string, options: TraceReaderOptions = {}): TraceError {
  try {
    readTrace(text, options)
  } catch (error) {
    if (error instanceof TraceError) return error
    throw error
  }
  throw new Error('the trace was read')
}

const brief = (rows: readonly TraceRow[]) => rows.map((row) => [toSeconds(row.time), row.inputTokens, row.outputTokens])

describe('block hashes', () => {
  it('20 tokens with two hashes in blocks of 512 is an error with its line, expecting 1', () => {
    const good = mooncake({ timestamp: 0, input_length: 513, output_length: 1, hash_ids: [1, 2] })
    const bad = mooncake({ timestamp: 0, input_length: 20, output_length: 1, hash_ids: [1, 2] })
    const error = failure(`${good}\n${bad}`)
    expect(error.line).toBe(2)
    expect(error.message).toBe(
      `mooncake trace, line 2, column ${bad.indexOf('"hash_ids"') + 1}, field hash_ids: expected 1 block hash for 20 tokens in blocks of 512 (not 2), found "[1,2]".`,
    )
  })
  it('513 tokens with 2 hashes and 512 with 1 are fine, the last block partial', () => {
    const rows = readTrace(
      [
        mooncake({ timestamp: 0, input_length: 513, output_length: 1, hash_ids: [1, 2] }),
        mooncake({ timestamp: 0, input_length: 512, output_length: 1, hash_ids: [1] }),
      ].join('\n'),
    )
    expect(rows.map((row) => [row.contents, row.runTokens])).toEqual([
      [
        [1, 2],
        [512, 1],
      ],
      [[1], [512]],
    ])
  })
  it('blocks of another size are an option', () => {
    const row = mooncake({ timestamp: 1, input_length: 20, output_length: 1, hash_ids: [1, 2] })
    expect(readTrace(row, { format: 'mooncake', formatOptions: { blockTokens: 16 } })[0]!.runTokens).toEqual([16, 4])
  })
})

describe('clocks', () => {
  it('reads seven fraction digits and no zone as UTC, to 100 ns', () => {
    const [first, second] = readTrace(azure('2023-11-16 18:17:03.9799600,1,2', '2023-11-16 18:17:03.9799601,1,2'))
    // 2023-11-16 is day 19677 of the epoch.
    expect(first!.time.seconds).toBe(19677 * 86400 + 18 * 3600 + 17 * 60 + 3)
    expect(first!.time.ticks).toBe(Math.round(0.97996 * 2 ** 44))
    expect(second!.time.ticks - first!.time.ticks).toBe(Math.round(1e-7 * 2 ** 44))
  })
  it('takes a zone off, and a fraction may be missing', () => {
    const rows = readTrace(
      azure('2024-05-12 00:00:00+00:00,1,1', '2024-05-12T00:00:00.5Z,1,1', '2024-05-12 02:00:01+02:00,1,1'),
    )
    expect(rows.map((row) => toSeconds(row.time) - rows[0]!.time.seconds)).toEqual([0, 0.5, 1])
  })
  it('knows leap years', () => {
    const days = (text: string) => readTrace(azure(`${text} 00:00:00,1,1`))[0]!.time.seconds / 86400
    expect([days('1970-01-01'), days('2000-02-29'), days('2000-03-01'), days('2024-12-31')]).toEqual([
      0, 11016, 11017, 20088,
    ])
  })
  it('Mooncake times are milliseconds unless said otherwise', () => {
    const row = mooncake({ timestamp: 1500, input_length: 1, output_length: 1, hash_ids: [1] })
    expect(toSeconds(readTrace(row)[0]!.time)).toBe(1.5)
    expect(toSeconds(readTrace(row, { formatOptions: { timeUnit: 'seconds' } })[0]!.time)).toBe(1500)
  })
  it('a row without a time is refused with its line and field, and taken when times are optional', () => {
    const text = [
      mooncake({ timestamp: 0, input_length: 1, output_length: 1, hash_ids: [1] }),
      mooncake({ input_length: 1, output_length: 1, hash_ids: [1] }),
    ].join('\n')
    const error = failure(text)
    expect([error.line, error.field]).toEqual([2, 'timestamp'])
    expect(readTrace(text, { times: 'optional' })[1]!.hasTime).toBe(false)
  })
})

describe('lengths', () => {
  it('that no counter could hold are refused, in and out', () => {
    const error = failure(azure('2023-11-16 18:17:03.0000000,2147483648,5'))
    expect(error.message).toContain('line 2, field input tokens: expected at most 1000000000 tokens, found 2147483648')
    expect(failure(azure('2023-11-16 18:17:03.0000000,5,1000000001')).field).toBe('output tokens')
  })
})

describe('lines', () => {
  const plain = azure('2023-11-16 18:17:03.0000000,10,5', '2023-11-16 18:17:04.0000000,20,6')
  it('CRLF, a byte order mark, blank lines and a missing last newline change nothing', () => {
    const odd = `\uFEFF${plain.replaceAll('\n', '\r\n\r\n')}`
    expect(brief(readTrace(odd))).toEqual(brief(readTrace(plain)))
    expect(brief(readTrace(new TextEncoder().encode(odd)))).toEqual(brief(readTrace(plain)))
    expect(brief(readTrace(`${plain}\n`))).toEqual(brief(readTrace(plain)))
  })
  it('refuses a line of more than 16 Mi characters as soon as it is that long, at the start or later', () => {
    const piece = 'a'.repeat(2 ** 20)
    for (const start of ['', '\n', `${plain}\n`]) {
      const reader = new TraceReader()
      const push = (pieces: number): void => {
        for (let i = 0; i < pieces; i++) {
          reader.push(piece)
          while (reader.next() !== undefined);
        }
      }
      reader.push(start)
      push(16)
      expect(() => push(2)).toThrow(/^trace, line \d: expected a line of at most 16777216 characters/)
    }
  })
  it('takes a document of one long line, and recognises it', () => {
    const call = { t: 0, type: 'n', in: 64, out: 1, hash_ids: [1] }
    const session = { id: 's', block_size: 64, requests: Array.from({ length: 400_000 }, () => call) }
    const text = JSON.stringify([session])
    expect(text.length).toBeGreaterThan(16_777_216)
    const reader = new TraceReader()
    for (let at = 0; at < text.length; at += 2 ** 20) {
      reader.push(text.slice(at, at + 2 ** 20))
      expect(reader.next()).toBeUndefined()
    }
    reader.end()
    expect(reader.next()?.inputTokens).toBe(64)
    expect(reader.format).toBe('weka')
  })
  it('gives the same rows however the text is cut, as bytes or as text', () => {
    const text = `\uFEFF${[
      JSON.stringify({
        custom_id: 'ä',
        body: { messages: [{ role: 'user', content: 'Grüße, 世界 🌍' }], max_tokens: 3 },
      }),
      JSON.stringify({ custom_id: 'b', body: { prompt: 'x'.repeat(50), max_tokens: 4 } }),
    ].join('\r\n')}`
    const options = { times: 'optional' } as const
    const expected = readTrace(text, options)
    const bytes = new TextEncoder().encode(text)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), fc.boolean(), (cuts, asText) => {
        const reader = new TraceReader(options)
        const source: string | Uint8Array = asText ? text : bytes
        let from = 0
        for (const cut of [...cuts.map((n) => Math.min(n, source.length)).sort((a, b) => a - b), source.length]) {
          reader.push(source.slice(from, cut))
          from = cut
        }
        reader.end()
        expect(reader.next()?.inputTokens).toBe(expected[0]!.inputTokens)
        expect(reader.next()?.inputTokens).toBe(expected[1]!.inputTokens)
        expect(reader.next()).toBeUndefined()
      }),
    )
  })
  it('gives rows as soon as they are there', () => {
    const reader = new TraceReader({ format: 'azure' })
    reader.push(`${AZURE}\n2023-11-16 18:17:03,10,5\n2023-11-16 18`)
    expect(reader.next()?.inputTokens).toBe(10)
    expect(reader.next()).toBeUndefined()
    reader.push(':17:04,20,6\n')
    expect(reader.next()?.inputTokens).toBe(20)
  })
  it('equal times keep file order', () => {
    const rows = readTrace(azure(...[1, 2, 3, 4].map((n) => `2023-11-16 18:17:03,${n},1`)))
    expect(rows.map((row) => row.inputTokens)).toEqual([1, 2, 3, 4])
  })
})

describe('bad rows', () => {
  const at = '2023-11-16 18:17:03'
  const cases: [string, string, Partial<TraceError>][] = [
    ['letters in a count', azure(`${at},ten,5`), { line: 2, column: 21, field: 'ContextTokens', found: '"ten"' }],
    ['a negative count', azure(`${at},-1,5`), { line: 2, column: 21, found: '"-1"' }],
    ['half a token', azure(`${at},1.5,5`), { line: 2, expected: 'a whole number of at least 0' }],
    ['an empty field', azure(`${at},,5`), { line: 2, column: 21, found: 'nothing' }],
    ['too few fields', azure(`${at},1,1`, `${at},5`), { line: 3, found: '2 fields' }],
    ['too many fields', azure(`${at},5,5,5`), { line: 2, found: '4 fields' }],
    ['a date that is none', azure('2023-13-16 18:17:03,5,5'), { line: 2, column: 1, field: 'TIMESTAMP' }],
    ['a time that goes back', azure(`${at},5,5`, '2023-11-16 18:17:02,5,5'), { line: 3, field: 'TIMESTAMP' }],
    ['zero output', azure(`${at},5,0`), { line: 2, field: 'output tokens', found: '0' }],
    ['zero input', azure(`${at},0,5`), { line: 2, field: 'input tokens' }],
    ['broken JSON', `${mooncake({ timestamp: 0, input_length: 1, output_length: 1 })}\n{"timestamp": 1,`, { line: 2 }],
    [
      'JSON that is no object',
      `${mooncake({ timestamp: 0, input_length: 1, output_length: 1 })}\n[1]`,
      { line: 2, expected: 'a JSON object' },
    ],
    [
      'a text for a number',
      mooncake({ timestamp: 0, input_length: '7', output_length: 1 }),
      { line: 1, field: 'input_length', found: '""7""' },
    ],
    [
      'a missing field',
      `${mooncake({ timestamp: 0, input_length: 1, output_length: 1 })}\n${mooncake({ timestamp: 0, input_length: 1 })}`,
      { line: 2, field: 'output_length', found: 'nothing' },
    ],
  ]
  it.each(cases)('%s is an error that says where', (_, text, expected) => {
    expect(failure(text)).toMatchObject(expected)
  })
  it('are skipped and counted when asked for, with the first messages kept', () => {
    const reader = new TraceReader({ onBadRow: 'skip' })
    reader.push(azure(`${at},1,1`, `${at},x,1`, '', `${at},2,2`))
    reader.end()
    expect([reader.next()?.inputTokens, reader.next()?.inputTokens, reader.next()]).toEqual([1, 2, undefined])
    expect(reader.counts).toEqual({
      rows: 2,
      blankLines: 1,
      badRows: 1,
      zeroRows: 0,
      problems: [expect.stringContaining('line 3, column 21')],
    })
  })
  it('zero tokens can be left out, or count as one', () => {
    const text = azure(`${at},5,0`, `${at},6,1`)
    expect(readTrace(text, { zeroTokens: 'skip' }).map((row) => row.inputTokens)).toEqual([6])
    expect(readTrace(text, { zeroTokens: 'one' }).map((row) => row.outputTokens)).toEqual([1, 1])
  })
  it('unsorted rows can be taken as they are', () => {
    expect(readTrace(azure(`${at},5,5`, '2023-11-16 18:17:02,5,5'), { order: 'any' }).length).toBe(2)
  })
  it('a wrong header is an error even when bad rows are skipped', () => {
    expect(() => readTrace('a,b\n1,2', { format: 'azure', onBadRow: 'skip' })).toThrow(
      'a header with the columns TIMESTAMP',
    )
  })
  it('content of no known format says how it begins, and gzip says what to do', () => {
    expect(() => readTrace('hello\nworld')).toThrow(UnknownTrace)
    expect(() => readTrace('hello\nworld')).toThrow('begins with "hello"')
    expect(() => readTrace(new Uint8Array([0x1f, 0x8b, 8, 0]))).toThrow('decompress')
    expect(() => readTrace('x', { format: 'azur' })).toThrow('Did you mean azure?')
  })
})

describe('the formats', () => {
  it('Azure of 2025: NumImages is not the prompt', () => {
    const text = 'TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n2025-01-01 00:00:00+00:00,3,700,20'
    expect(readTrace(text)[0]).toMatchObject({ inputTokens: 700, outputTokens: 20 })
  })
  it('BurstGPT of 6 and of 8 columns, by name; failures are left out and counted', () => {
    const six =
      'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,400,20,420,API log\n6,GPT-4,3,0,3,API log'
    const eight =
      'Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n19440110.0,a,43,GPT-4,906,446,1352,Conversation log\n19440111.5,,4,GPT-4,1,2,3,API log'
    const reader = new TraceReader()
    reader.push(six)
    reader.end()
    expect(reader.next()).toMatchObject({ inputTokens: 400, outputTokens: 20 })
    expect(reader.next()).toBeUndefined()
    expect(reader.counts.zeroRows).toBe(1)
    expect(readTrace(eight).map((row) => [toSeconds(row.time), row.inputTokens, row.session])).toEqual([
      [19440110, 906, 1],
      [19440111.5, 1, 0],
    ])
  })
  it('Qwen-Bailian: turns of a chat are one session, in blocks of 16', () => {
    const row = (chat: number, parent: number, turn: number) =>
      JSON.stringify({
        chat_id: chat,
        parent_chat_id: parent,
        timestamp: turn,
        input_length: 20,
        output_length: 3,
        type: 'text',
        turn,
        hash_ids: [1, 2],
      })
    const rows = readTrace([row(10, -1, 1), row(11, -1, 1), row(12, 10, 2), row(13, 12, 3)].join('\n'))
    expect(rows.map((each) => each.session)).toEqual([1, 2, 1, 1])
    expect(rows[0]!.runTokens).toEqual([16, 4])
  })
  it('LLMServingSim: flat rows and agents mix; a call waits for the one before and its tool', () => {
    const text = [
      '{"input_toks": 100, "output_toks": 50, "arrival_time_ns": 0}',
      '{"session_id": "s", "arrival_time_ns": 1000000, "sub_requests": [{"input_toks": 200, "output_toks": 10, "tool_duration_ns": 5000000}, {"input_toks": 260, "output_toks": 1}]}',
      '{"session_id": "empty", "arrival_time_ns": 1500000, "sub_requests": []}',
    ].join('\n')
    const rows = readTrace(text)
    expect(rows.map((row) => [row.inputTokens, row.hasTime, row.afterSeconds, row.continues])).toEqual([
      [100, true, undefined, false],
      [200, true, undefined, true],
      [260, false, 0.005, false],
    ])
  })
  it('LLMServingSim: equal token ids are equal blocks', () => {
    const ids = Array.from({ length: 40 }, (_, i) => i)
    const row = (last: number) =>
      JSON.stringify({ input_toks: 40, output_toks: 1, arrival_time_ns: 0, input_tok_ids: [...ids.slice(0, 39), last] })
    const [a, b] = readTrace([row(1), row(2)].join('\n'))
    expect(a!.runTokens).toEqual([16, 16])
    expect(a!.contents).toEqual(b!.contents)
    expect(a!.contents[0]).not.toBe(a!.contents[1])
  })
  it('RAGPulse: the same passage keeps its estimated length and number', () => {
    const row = (time: string, passages: number[]) =>
      JSON.stringify({
        timestamp: time,
        input_length: 1001,
        output_length: 5,
        hash_ids: { sys_prompt: [1], passages_ids: passages, history: [], web_search: [], user_input: [99] },
        session_id: 'u',
      })
    const [a, b] = readTrace([row('1', [2, 3]), row('2', [2, 4])].join('\n'))
    expect(a!.contents).toEqual([1, 2, 3])
    expect(b!.contents).toEqual([1, 2, 4])
    expect(b!.runTokens.slice(0, 2)).toEqual(a!.runTokens.slice(0, 2))
    expect(a!.session).toBe(1)
  })
  it('Weka: sub-agents are merged in by time, partial blocks are own text, block ids belong to their session', () => {
    const session = (id: string) => ({
      id,
      block_size: 64,
      requests: [
        { t: 0, type: 's', in: 130, out: 20, hash_ids: [1, 2] },
        { t: 3, type: 'subagent', requests: [{ t: 7, type: 'n', in: 64, out: 5, hash_ids: [3] }] },
        { t: 6, type: 'n', in: 200, out: 0, hash_ids: [1, 2, 5] },
      ],
    })
    const rows = readTrace(JSON.stringify(session('a'), null, 1))
    expect(brief(rows)).toEqual([
      [0, 130, 20],
      [6, 200, 1],
      [7, 64, 5],
    ])
    expect(rows[1]!.contents.slice(0, 2)).toEqual(rows[0]!.contents)
    expect(rows[1]!.runTokens).toEqual([64, 64, 64])
    const two = readTrace(`${JSON.stringify(session('a'))}\n${JSON.stringify(session('b'))}\n`, { order: 'any' })
    expect(two.length).toBe(6)
    expect(two[0]!.contents).not.toEqual(two[3]!.contents)
  })
  it('OpenAI batch: messages in common are shared, lengths are characters over 4', () => {
    const row = (question: string) =>
      JSON.stringify({
        custom_id: 'x',
        method: 'POST',
        url: '/',
        body: {
          messages: [
            { role: 'system', content: 'You help people.' },
            { role: 'user', content: question },
          ],
          max_tokens: 50,
        },
      })
    const [a, b] = readTrace([row('What?'), row('Why not?')].join('\n'), { times: 'optional' })
    expect([a!.inputTokens, a!.outputTokens, a!.maxTokens]).toEqual([4 + 2, 50, 50])
    expect(a!.contents[0]).toBe(b!.contents[0])
    expect(a!.contents[1]).not.toBe(b!.contents[1])
  })
  it('inference-lab sessions: steps follow one another after a gap', () => {
    const text = JSON.stringify({
      id: 's',
      steps: [
        { input: 100, new: 100, output: 20, gap: 0, kind: 'user' },
        { input: 150, new: 30, output: 5, gap: 2.5, kind: 'tool' },
      ],
    })
    expect(readTrace(text).map((row) => [row.inputTokens, row.afterSeconds])).toEqual([
      [100, undefined],
      [150, 2.5],
    ])
  })
  it('our own CSV and JSONL', () => {
    const csv = 'arrival_s,input_tokens,output_tokens,max_tokens,session\n0.5,10,2,,a\n0.75,11,3,4,'
    expect(
      readTrace(csv).map((row) => [toSeconds(row.time), row.inputTokens, row.outputTokens, row.maxTokens, row.session]),
    ).toEqual([
      [0.5, 10, 2, undefined, 1],
      [0.75, 11, 3, 4, 0],
    ])
    const jsonl = JSON.stringify({
      arrivalSeconds: 2,
      inputTokens: 30,
      outputTokens: 4,
      prefix: [
        [7, 10],
        [8, 5],
      ],
    })
    expect(readTrace(jsonl)[0]).toMatchObject({ inputTokens: 30, runs: 2, contents: [7, 8], runTokens: [10, 5] })
  })
  it('quoted CSV fields are read', () => {
    expect(readTrace('input_tokens,output_tokens,arrival_s,session\n"5","6",0,"a ""b"", c"')[0]).toMatchObject({
      inputTokens: 5,
      outputTokens: 6,
      session: 1,
    })
  })
})
