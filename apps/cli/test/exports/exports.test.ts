import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { validatedTrace } from '../../../../packages/metrics/test/export/perfettoValidator.ts'
import { exportKinds } from '../../src/exports/index.ts'
import { commandFolder, plainScenario } from '../inFolder.ts'

const { folder, write, windtunnel } = commandFolder()
write('plain.yaml', plainScenario)
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const drafts = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.part'))

/** Runs with one export and returns the summary. */
async function exported(kind: string, file: string, ...flags: string[]) {
  const words = ['run', 'plain.yaml', '--json', '--export', `${kind}=${file}`, '--force', ...flags]
  const { status, stdout, stderr } = await windtunnel(...words)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('files of a run', () => {
  afterEach(() => vi.restoreAllMocks())

  it('every kind is written whole, changes nothing of the run, and leaves no draft', async () => {
    const plain = JSON.parse((await windtunnel('run', 'plain.yaml', '--json')).stdout)
    for (const kind of exportKinds.keys()) {
      expect((await exported(kind, `${kind}.out`)).factsHash).toBe(plain.factsHash)
      expect(readFileSync(join(folder, `${kind}.out`)).length, kind).toBeGreaterThan(100)
    }
    expect(drafts()).toEqual([])
  })

  it('several at once give what each gives alone', async () => {
    const flags = [...exportKinds.keys()].flatMap((kind) => ['--export', `${kind}=all/${kind}.out`])
    expect((await windtunnel('run', 'plain.yaml', '--json', ...flags)).status).toBe(0)
    for (const kind of ['requests-csv', 'series', 'vllm', 'guidellm', 'prometheus', 'html'])
      expect(read(`all/${kind}.out`)).toBe(read(`${kind}.out`))
  })

  it("a JetStream server's own page counts the requests of the run", async () => {
    const { requests } = await exported('server-metrics', 'own.txt', '--set', 'fleet[0].engine=interleaved')
    const counts = [
      ...read('own.txt').matchAll(/^jetstream_request_success_count\{id="[01]",model_name="llama_3.1_8b"\} (\d+)$/gm),
    ]
    expect(counts.map((found) => Number(found[1])).reduce((sum, count) => sum + count, 0)).toBe(requests.completed)
    await exported('server-metrics', 'none.txt')
    expect(read('none.txt')).toMatch(/^# No server of this run/)
  })

  it('an existing file is kept unless --force is given', async () => {
    write('mine.csv', 'precious')
    const { status, stderr } = await windtunnel('run', 'plain.yaml', '--export', 'series=mine.csv')
    expect(status).toBe(2)
    expect(stderr).toMatch(/mine\.csv exists already.*--force/)
    expect(read('mine.csv')).toBe('precious')
    await exported('series', 'mine.csv')
    expect(read('mine.csv')).toMatch(/^second,/)
  })

  it('a run that fails on the way leaves neither file nor draft, and an old file as it was', async () => {
    const trace = `arrived_at,num_prefill_tokens,num_decode_tokens\n${'1,10,3\n'.repeat(20_000)}2,broken,3\n`
    write('late.csv', trace)
    write('old.csv', 'precious')
    const flags = ['--export', 'requests-csv=never.csv', '--export', 'perfetto=old.csv', '--force', '--out', 'never']
    const { status, stderr } = await windtunnel('run', 'plain.yaml', '--set', 'run={}', '--trace', 'late.csv', ...flags)
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/line 20002, .*found "broken"/) })
    expect(existsSync(join(folder, 'never.csv'))).toBe(false)
    expect(existsSync(join(folder, 'never', 'requests.csv'))).toBe(false)
    expect(read('old.csv')).toBe('precious')
    expect(drafts()).toEqual([])
  })

  it('kinds and paths that cannot be are named before the run', async () => {
    const fault = async (text: string) => {
      const { status, stdout, stderr } = await windtunnel('run', 'plain.yaml', '--export', text)
      expect({ status: status > 0, stdout }).toEqual({ status: true, stdout: '' })
      return stderr
    }
    expect(await fault('perfeto=x.json')).toMatch(/there is no kind perfeto; did you mean perfetto\?/)
    expect(await fault('perfetto')).toMatch(/expected KIND=FILE; kinds: aiperf, /)
    expect(await fault('perfetto=plain.yaml/x.json')).toMatch(/cannot write plain\.yaml\/x\.json/)
    const twice = await windtunnel('run', 'plain.yaml', '--export', 'html=same', '--export', 'series=same')
    expect(twice.stderr).toMatch(/same is named twice/)
  })
})

describe('requests as rows', () => {
  it('CSV, JSONL and Parquet say the same, one row a request, and the phases sum to E2E', async () => {
    const summary = await exported('requests-jsonl', 'rows.jsonl')
    await exported('requests-csv', 'rows.csv')
    const rows = read('rows.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows).toHaveLength(summary.requests.arrived)
    expect(new Set(rows.map((row) => row.request)).size).toBe(200)
    for (const row of rows)
      expect(row.queue_s + row.prefill_s + row.transfer_s + row.decode_s).toBeCloseTo(row.e2e_s, 9)
    const [head, ...lines] = read('rows.csv').trim().split('\n')
    expect(lines).toHaveLength(200)
    const cells = lines[17]!.split(',')
    head!.split(',').forEach((name, column) => {
      expect(cells[column], name).toBe(String(rows[17][name] ?? ''))
    })
    const mean = rows.reduce((sum, row) => sum + row.ttft_s, 0) / 200
    expect(mean).toBeCloseTo(summary.ttft.mean, 9)
    expect(readFileSync(join(folder, 'requests-parquet.out')).subarray(0, 4).toString()).toBe('PAR1')
    expect(readFileSync(join(folder, 'requests-parquet.out')).subarray(-4).toString()).toBe('PAR1')
  })
})

describe('the series', () => {
  it('adds up to the run', async () => {
    const summary = await exported('series', 'series.csv')
    const [head, ...lines] = read('series.csv')
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    const total = (name: string) => lines.reduce((sum, line) => sum + Number(line[head!.indexOf(name)]), 0)
    expect(total('arrived')).toBe(200)
    expect(total('completed')).toBe(200)
    expect(total('output_tokens')).toBe(summary.itl.count + summary.ttft.count)
  })
})

describe('the Perfetto trace', () => {
  it.each([
    ['vllm', '"vllm"'],
    ['vllm short of KV blocks', '{"name":"vllm","kvBlocks":300,"maxModelLength":4100}'],
    ['sglang', '"sglang"'],
    ['static', '"static"'],
    ['interleaved', '"interleaved"'],
    ['disaggregated', '"disaggregated"'],
  ])('is valid for the engine %s', async (name, engine) => {
    const summary = await exported('perfetto', 'trace.json', '--set', `fleet[0].engine=${engine}`)
    const events = validatedTrace(read('trace.json'))
    const begun = events.filter((event) => event.ph === 'b' && event.name.startsWith('request '))
    expect(begun).toHaveLength(200)
    const preempted = events.filter((event) => event.name.startsWith('preempted'))
    expect(preempted).toHaveLength(summary.preemptions)
    if (name.includes('short')) expect(summary.preemptions).toBeGreaterThan(0)
    for (const counter of ['KV use %', 'batch']) expect(events.some((event) => event.name === counter)).toBe(true)
  })

  it('has a track for each link of a disaggregated fleet', async () => {
    const fleet = '[{"name":"p","hardware":"h100","role":"prefill"},{"name":"g","hardware":"h100","role":"generate"}]'
    await exported('perfetto', 'pd.json', '--set', `fleet=${fleet}`)
    const events = validatedTrace(read('pd.json'))
    const links = events.filter((event) => event.cat === 'transfer' && event.ph === 'b')
    expect(new Set(links.map(({ name }) => name))).toEqual(new Set(['p 0 to g 1']))
    expect(events.some((event) => event.cat === 'request' && event.name === 'transfer')).toBe(true)
  })

  it('is valid when the run stops with requests inside', async () => {
    const { requests } = await exported('perfetto', 'cut.json', '--duration', '3')
    expect(requests.unfinished).toBeGreaterThan(0)
    validatedTrace(read('cut.json'))
  })
})

describe('the report', () => {
  it('is one well-formed page that needs nothing from elsewhere', async () => {
    await exported('html', 'report.html', '--set', 'name="a <b> & c"')
    const page = read('report.html')
    expect(page).toMatch(/^<!doctype html>/)
    expect(page).toContain('<h1>a &lt;b&gt; &amp; c</h1>')
    expect(page).not.toMatch(/\b(src|href)=|NaN|undefined|Infinity/)
    expect(balanced(page)).toEqual([])
    expect(page.match(/<svg /g)).toHaveLength(4)
  })

  it('is whole for a run in which nothing happened', async () => {
    await exported('html', 'quiet.html', '--duration', '0.001')
    expect(balanced(read('quiet.html'))).toEqual([])
    expect(read('quiet.html')).not.toMatch(/NaN|undefined|Infinity/)
  })
})

/** Elements that are opened and not closed, or closed without being open. */
function balanced(page: string): string[] {
  const open: string[] = []
  const faults: string[] = []
  for (const [, end, name, rest] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>/g)) {
    if (name === 'meta' || rest!.endsWith('/')) continue
    if (end === '') open.push(name!)
    else if (open.pop() !== name) faults.push(`</${name}>`)
  }
  return [...faults, ...open]
}
