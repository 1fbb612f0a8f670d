import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { commandFolder, plainScenario } from '../inFolder.ts'

const { folder, write, windtunnel } = commandFolder()
write('plain.yaml', plainScenario)

const head = 'TIMESTAMP,ContextTokens,GeneratedTokens'
const rows = [
  '2023-11-16 18:17:03.9799600,374,44',
  '2023-11-16 18:17:04.0319600,396,109',
  '2023-11-16 18:17:04.9799600,879,55',
]
const plain = [head, ...rows].join('\n')
const inspected = async (name: string, ...flags: string[]) => {
  const { status, stdout, stderr } = await windtunnel('trace', 'inspect', name, '--json', ...flags)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('a trace that is odd and yet right', () => {
  it.each([
    ['CRLF', plain.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${plain}\n`],
    ['no final newline', plain],
    ['blank lines', `\n${plain.replaceAll('\n', '\n\n')}\n\n`],
    ['quotes', plain.replaceAll(/,(\d+)/g, ',"$1"')],
    [
      'columns in another order, and one more',
      'x,GeneratedTokens,TIMESTAMP,ContextTokens\n,44,2023-11-16 18:17:03.9799600,374\n,109,2023-11-16 18:17:04.0319600,396\n,55,2023-11-16 18:17:04.9799600,879',
    ],
  ])('%s', async (_what, text) => {
    write('odd.csv', text)
    const trace = await inspected('odd.csv')
    expect(trace).toMatchObject({ format: 'azure', rows: 3, input: { total: 374 + 396 + 879 }, output: { total: 208 } })
    expect(trace.spanSeconds).toBe(1)
    expect(JSON.parse((await windtunnel('run', 'plain.yaml', '--trace', 'odd.csv', '--json')).stdout)).toMatchObject({
      requests: { arrived: 3, completed: 3 },
      throughput: {},
    })
  })

  it('is unpacked in every door, whatever its name', async () => {
    write('packed', gzipSync(plain))
    write('packed.csv.gz', gzipSync(plain))
    for (const name of ['packed', 'packed.csv.gz']) {
      expect((await inspected(name)).rows).toBe(3)
      const run = JSON.parse((await windtunnel('run', 'plain.yaml', '--trace', name, '--json')).stdout)
      expect(run.requests.completed).toBe(3)
      expect((await windtunnel('trace', 'convert', name, 'out.jsonl', '--force')).stdout).toMatch(/wrote 3 rows/)
      expect((await windtunnel('trace', 'slice', name, 'out.jsonl', '--rows', '2', '--force')).stdout).toMatch(
        /wrote 2/,
      )
      expect((await windtunnel('trace', 'synthesise', name)).status).toBe(0)
    }
    write('half.gz', gzipSync(plain).subarray(0, 40))
    const half = await windtunnel('trace', 'inspect', 'half.gz')
    expect(half.status).toBe(2)
    expect(half.stderr).toMatch(/cannot unpack half\.gz: unexpected end of file/)
  })

  it('unsorted rows are an error with line and advice, and sorted on request', async () => {
    write('unsorted.csv', [head, rows[1], rows[0], rows[2]].join('\n'))
    const refused = await windtunnel('trace', 'inspect', 'unsorted.csv')
    expect(refused.status).toBe(2)
    expect(refused.stderr).toMatch(
      /azure trace, line 3, field TIMESTAMP: expected a time not before that of the row before \(or sorting: --sort/,
    )
    expect((await windtunnel('run', 'plain.yaml', '--trace', 'unsorted.csv')).stderr).toMatch(/line 3, field TIMESTAMP/)
    expect((await inspected('unsorted.csv', '--sort')).rows).toBe(3)
    await windtunnel('trace', 'convert', 'unsorted.csv', 'sorted.csv', '--to', 'vidur', '--sort')
    expect(readFileSync(join(folder, 'sorted.csv'), 'utf8').split('\n')[1]).toMatch(/^0,374,44$/)
    const sorted = await windtunnel(
      'run',
      'plain.yaml',
      '--trace',
      'unsorted.csv',
      '--set',
      'traffic.trace.sort=true',
      '--json',
    )
    expect(JSON.parse(sorted.stdout).requests.completed).toBe(3)
  })

  it('zero tokens are an error, left out, or one, as asked', async () => {
    write('zero.csv', `${plain}\n2023-11-16 18:17:05.0,10,0\n2023-11-16 18:17:06.0,0,7\n`)
    const refused = await windtunnel('trace', 'inspect', 'zero.csv')
    expect(refused.status).toBe(2)
    expect(refused.stderr).toMatch(/line 5, field output tokens: expected at least 1 token.*found 0/)
    expect(await inspected('zero.csv', '--zero-tokens', 'skip')).toMatchObject({ rows: 3, counts: { zeroRows: 2 } })
    expect(await inspected('zero.csv', '--zero-tokens', 'one')).toMatchObject({ rows: 5, output: { total: 216 } })
  })
})

const mooncake = (over: object) =>
  JSON.stringify({ timestamp: 0, input_length: 600, output_length: 5, hash_ids: [1, 2], ...over })

describe('a trace that is broken', () => {
  it.each<[string, string, RegExp]>([
    [
      'a letter in a number',
      `${plain}\n2023-11-16 18:17:06.0,12x,7`,
      /line 5, column 23, field ContextTokens: expected a whole number of at least 0, found "12x"/,
    ],
    [
      'a negative number',
      `${plain}\n2023-11-16 18:17:06.0,12,-7`,
      /line 5, column 26, field GeneratedTokens: .*found "-7"/,
    ],
    [
      'half a token',
      `${plain}\n2023-11-16 18:17:06.0,12.5,7`,
      /line 5, column 23, field ContextTokens: .*found "12\.5"/,
    ],
    ['a field too few', `${plain}\n2023-11-16 18:17:06.0,12`, /line 5: expected 3 fields .*found 2 fields/],
    ['a field too many', `${plain}\n2023-11-16 18:17:06.0,12,7,1`, /line 5: expected 3 fields .*found 4 fields/],
    [
      'a date that is none',
      `${plain}\n2023-13-16 18:17:06.0,12,7`,
      /line 5, column 1, field TIMESTAMP: expected .*found "2023-13-16/,
    ],
    ['a time that is missing', `${plain}\n,12,7`, /line 5, column 1, field TIMESTAMP: expected/],
    ['an end in the middle of a row', plain.slice(0, -3), /line 4: expected 3 fields .*found 2 fields/],
    [
      'JSON cut short',
      `${mooncake({})}\n${mooncake({}).slice(0, 30)}`,
      /line 2, column \d+: expected a JSON object, found broken JSON/,
    ],
    ['JSON that is no object', `${mooncake({})}\n[1, 2]`, /line 2, column 1: expected a JSON object/],
    [
      'a field of another kind',
      `${mooncake({})}\n${mooncake({ input_length: '600' })}`,
      /line 2, column \d+, field input_length: expected a whole number/,
    ],
    [
      'a field that is missing',
      `${mooncake({})}\n{"timestamp":1,"output_length":2,"hash_ids":[]}`,
      /line 2, field input_length: .*found nothing/,
    ],
    [
      'blocks that do not fit the length',
      `${mooncake({})}\n${mooncake({ input_length: 20 })}`,
      /line 2, column 52, field hash_ids: expected 1 block hash for 20 tokens in blocks of 512/,
    ],
    ['nothing of a trace', 'hello there\n', /format of this trace is not known: it begins with "hello there"/],
  ])('%s', async (_what, text, message) => {
    write('broken', text)
    for (const command of [
      ['trace', 'inspect', 'broken'],
      ['run', 'plain.yaml', '--trace', 'broken'],
    ]) {
      const { status, stdout, stderr } = await windtunnel(...command)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr).toMatch(message)
      expect(stderr).not.toMatch(/\n\s+at |should not have happened/)
    }
  })

  it('an empty file, or a header alone, says so', async () => {
    for (const [name, text] of [
      ['empty', ''],
      ['blank', '\n\n'],
      ['header.csv', `${head}\n`],
    ] as const) {
      write(name, text)
      for (const command of [
        ['trace', 'inspect', name],
        ['trace', 'convert', name, 'never'],
        ['trace', 'synthesise', name],
        ['run', 'plain.yaml', '--trace', name],
      ]) {
        const { status, stderr } = await windtunnel(...command)
        expect({ command, status }).toEqual({ command, status: 2 })
        expect(stderr).toMatch(/no rows/)
      }
    }
  })

  it('bad rows are skipped, counted and told when asked for', async () => {
    write('some.csv', `${plain}\nnonsense\n2023-11-16 18:17:06.0,1,1\n`)
    expect(await inspected('some.csv', '--on-bad-row', 'skip')).toMatchObject({ rows: 4, counts: { badRows: 1 } })
    const { stdout } = await windtunnel('trace', 'inspect', 'some.csv', '--on-bad-row', 'skip')
    expect(stdout).toMatch(/skipped: azure trace, line 5/)
    const run = await windtunnel('run', 'plain.yaml', '--trace', 'some.csv', '--set', 'traffic.trace.onBadRow=skip')
    expect(run.stdout).toMatch(/warning: .*1 rows? could not be read/)
  })

  it('a wrong format, option or path is named', async () => {
    write('good.csv', plain)
    const fault = async (...words: string[]) => {
      const { status, stderr } = await windtunnel('trace', 'inspect', ...words)
      expect(status).toBe(2)
      return stderr
    }
    expect(await fault('good.csv', '--format', 'azur')).toMatch(/azure/)
    expect(await fault('good.csv', '--format', 'mooncake')).toMatch(/line 1, column 1: expected a JSON object/)
    expect(await fault('good.csv', '--option', 'x=1')).toMatch(/name it with --format/)
    expect(await fault('good.csv', '--format', 'azure', '--option', 'x=1')).toMatch(/x/)
    expect(await fault('absent.csv')).toMatch(/cannot read absent\.csv: there is no such file/)
    expect(await fault('.')).toMatch(/cannot read \.: it is a folder/)
  })
})

describe('behaviours of traces and clocks', () => {
  it('10: 20 tokens with two hashes of 512 is an error with its line, 513 with two and 512 with one are fine', async () => {
    write('mooncake', `${mooncake({ input_length: 513 })}\n${mooncake({ input_length: 512, hash_ids: [1] })}\n`)
    expect((await inspected('mooncake')).rows).toBe(2)
    write('mooncake', mooncake({ input_length: 20 }))
    expect((await windtunnel('trace', 'inspect', 'mooncake')).stderr).toMatch(/line 1.*expected 1 /)
  })

  it('11: four rows of one second keep file order and arrive at one instant', async () => {
    const line = (input: number) =>
      `${JSON.stringify({ timestamp: 1000, input_length: input, output_length: 3, hash_ids: [] })}`
    write('equal', [7, 3, 9, 5].map(line).join('\n'))
    const flags = ['--set', 'traffic.trace.format={"name":"mooncake"}']
    const { status, stderr } = await windtunnel(
      'run',
      'plain.yaml',
      '--trace',
      'equal',
      '--export',
      'requests-csv=equal.csv',
      ...flags,
    )
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/expected 1 /) })
    write(
      'equal',
      [7, 3, 9, 5]
        .map((input) => `1,${input},3`)
        .join('\n')
        .replace(/^/, 'arrived_at,num_prefill_tokens,num_decode_tokens\n'),
    )
    expect(
      (await windtunnel('run', 'plain.yaml', '--trace', 'equal', '--export', 'requests-jsonl=equal.jsonl')).status,
    ).toBe(0)
    const requests = readFileSync(join(folder, 'equal.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
    requests.sort((a, b) => a.request - b.request)
    expect(requests.map((one) => [one.arrival_s, one.input_tokens])).toEqual([
      [0, 7],
      [0, 3],
      [0, 9],
      [0, 5],
    ])
  })

  it('12: a row without a time is refused with line and field, and taken by a closed loop', async () => {
    write(
      'untimed.jsonl',
      '{"arrivalSeconds":0,"inputTokens":5,"outputTokens":2}\n{"inputTokens":5,"outputTokens":2}\n',
    )
    const open = await windtunnel('run', 'plain.yaml', '--trace', 'untimed.jsonl')
    expect(open.status).toBe(2)
    expect(open.stderr).toMatch(/line 2, field \w+: expected a time/)
    const closed = await windtunnel(
      'run',
      'plain.yaml',
      '--trace',
      'untimed.jsonl',
      '--json',
      '--set',
      'traffic.trace.arrivals={"name":"closedLoop","users":1}',
    )
    expect(closed.stderr).toBe('')
    expect(JSON.parse(closed.stdout).requests.completed).toBe(2)
  })

  it('13: seven fraction digits without a zone are UTC to 100 ns', async () => {
    write('azure.csv', `${head}\n2023-11-16 18:17:03.9799600,1,1\n2023-11-16 18:17:03.9799601,1,1\n`)
    expect((await inspected('azure.csv')).spanSeconds).toBeCloseTo(1e-7, 12)
  })

  it('14: Mooncake times are milliseconds in blocks of 512 unless the options say otherwise', async () => {
    write('mooncake', `${mooncake({})}\n${mooncake({ timestamp: 3000 })}\n`)
    expect((await inspected('mooncake')).spanSeconds).toBe(3)
    const flags = ['--format', 'mooncake', '--option', 'timeUnit=seconds', '--option', 'blockTokens=300']
    expect((await inspected('mooncake', ...flags)).spanSeconds).toBe(3000)
  })
})
