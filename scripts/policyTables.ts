// Writes the tables of docs/policies.md: npx node --conditions=@windtunnel/source scripts/policyTables.ts FOLDER [TABLE ...]
// FOLDER holds the public traces under the names below; without TABLE all tables are made. Takes some minutes.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Interval {
  mean: number
  halfWidth?: number
}

interface VariantFigure {
  variant: string
  mean: Interval | null
  verdict: string | null
}

interface Comparison {
  figures: { figure: string; unit: string; variants: VariantFigure[] }[]
}

interface Trace {
  title: string
  file: string
  /** Requests per second: about 30, 60 and 90 % of what four vLLM replicas finish at most. */
  loads: readonly number[]
  requests: number
}

const traces: Record<string, Trace> = {
  azure: {
    title: 'Azure conversation',
    file: 'AzureLLMInferenceTrace_conv.csv',
    loads: [25, 50, 75],
    requests: 10_000,
  },
  mooncake: { title: 'Mooncake synthetic', file: 'synthetic_trace.jsonl', loads: [2.2, 4.4, 6.6], requests: 2000 },
  ragpulse: { title: 'RAGPulse', file: '0_trace.first2000.jsonl', loads: [10, 20, 30], requests: 2000 },
}

interface Table {
  name: string
  scenarios: readonly string[]
  flags: readonly string[]
  /** Rows of the trace, where not as many as usual. */
  requests?: number
}

const policies = (names: readonly string[]): string[] => names.map((name) => `examples/policies/${name}.yaml`)

const engines = [
  'vllm',
  'vllm-512',
  'vllm-whole',
  'sglang',
  'pd-1-3',
  'pd-2-2',
  'pd-3-1',
  'interleaved',
  'disaggregated',
  'static',
]
const routers = [
  'round-robin',
  'random',
  'least-loaded',
  'least-tokens',
  'power-of-two',
  'session-affinity',
  'consistent-hash',
  'prefix-affinity',
  'kv-aware',
  '{"name":"kv-aware","stalenessSeconds":1,"eventDelaySeconds":1}',
]
const schedulers = ['fcfs', 'shortest-first', 'edf', 'lpm', 'fair-share']

const tables: readonly Table[] = [
  // JetStream's slots own KV for the longest request, and static batches reserve it: prompts of 100,000 tokens leave no room.
  ...Object.keys(traces).map((trace) => ({
    name: `engines-${trace}`,
    scenarios: policies(trace === 'mooncake' ? engines.slice(0, 7) : engines),
    flags: [],
  })),
  ...Object.keys(traces).map((trace) => ({
    name: `routers-${trace}`,
    scenarios: policies(['vllm']),
    flags: ['--vary', `router=${routers.join(',')}`],
  })),
  {
    name: 'routers-mooncake-large',
    scenarios: policies(['vllm']),
    flags: [
      '--vary',
      `router=${routers.filter((router) => router !== 'session-affinity' && router !== 'consistent-hash').join(',')}`,
      '--set',
      'fleet[0].engine.kvBlocks=10000000',
    ],
    requests: 3993,
  },
  ...Object.keys(traces).map((trace) => ({
    name: `schedulers-${trace}`,
    scenarios: policies(['vllm']),
    // Few slots, so that there is a queue to put in order.
    flags: [
      '--vary',
      `fleet[0].engine.scheduler=${schedulers.join(',')}`,
      '--set',
      'fleet[0].engine.maxSequences=40',
      '--set',
      'router=least-loaded',
    ],
  })),
]

const columns = [
  'TTFT p50',
  'TTFT p99',
  'ITL p99',
  'E2E mean',
  'output tokens',
  'prefix hits',
  'busiest / mean replica',
  'not completed',
]

const digits = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))

const root = join(import.meta.dirname, '..')
const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) throw new Error('expected the folder that holds the traces')
const page = join(root, 'docs', 'policies.md')
for (const table of tables) {
  if (wanted.length > 0 && !wanted.includes(table.name)) continue
  const text = rendered(table)
  const [begin, end] = [`<!-- ${table.name} -->`, `<!-- end of ${table.name} -->`]
  const before = readFileSync(page, 'utf8')
  const from = before.indexOf(begin)
  const to = before.indexOf(end)
  if (from < 0 || to < from)
    throw new Error(`docs/policies.md has no place for ${table.name}: expected ${begin} and ${end}`)
  writeFileSync(page, `${before.slice(0, from)}${begin}\n${text}\n${before.slice(to)}`)
  process.stderr.write(`${table.name}\n`)
}

function rendered(table: Table): string {
  const trace = traces[table.name.split('-')[1]!]!
  const requests = table.requests ?? trace.requests
  const parts = trace.loads.map((load) => {
    const flags = [
      ...table.flags,
      '--set',
      `traffic.trace.arrivals={"name":"poisson","requestsPerSecond":${load}}`,
      '--set',
      `run.maxRequests=${requests}`,
      '--seeds',
      '3',
    ]
    return { load, comparison: compared(table.scenarios, join(folder!, trace.file), flags) }
  })
  const scenarios =
    table.scenarios.length > 1
      ? `examples/policies/{${table.scenarios.map(shortName).join(',')}}.yaml`
      : table.scenarios[0]
  const quoted = table.flags.map((flag) => (/[{*[]/.test(flag) ? `'${flag}'` : flag)).join(' ')
  const command = [
    `./windtunnel compare ${scenarios}${quoted === '' ? '' : ` ${quoted}`} \\`,
    `  --trace ${trace.file} --set run.maxRequests=${requests} --seeds 3 \\`,
    `  --set 'traffic.trace.arrivals={"name":"poisson","requestsPerSecond":${trace.loads.join('|')}}'`,
  ]
  return ['```sh', ...command, '```', '', ...parts.flatMap(({ load, comparison }) => [loadTable(load, comparison), ''])]
    .join('\n')
    .trimEnd()
}

function compared(scenarios: readonly string[], trace: string, flags: readonly string[]): Comparison {
  const main = join(root, 'apps/cli/src/main.ts')
  const words = ['--conditions=@windtunnel/source', main, 'compare', ...scenarios, '--trace', trace, ...flags, '--json']
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    cwd: root,
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Comparison
}

function loadTable(load: number, { figures }: Comparison): string {
  const shown = columns.map((name) => figures.find(({ figure }) => figure === name)!)
  const used = shown.filter(({ variants }) => variants.some(({ mean }) => mean !== null && mean.mean !== 0))
  const names = used[0]!.variants.map(({ variant }) => shortName(variant))
  const lines = names.map((name, at) =>
    [name, ...used.map(({ unit, variants }) => cell(variants[at]!, unit))].join(' | '),
  )
  const head = [`${load} requests/s`, ...used.map(({ figure }) => figure)].join(' | ')
  return [`| ${head} |`, `|--|${used.map(() => '--:|').join('')}`, ...lines.map((line) => `| ${line} |`)].join('\n')
}

/** A mean; in brackets when its difference to the first row is not clear at 95 %. */
function cell({ mean, verdict }: VariantFigure, unit: string): string {
  if (mean === null) return '-'
  const text = inUnit(mean.mean, unit)
  return verdict === 'unclear' ? `(${text})` : text
}

function inUnit(value: number, unit: string): string {
  if (unit === 's') return value >= 1 ? `${digits(value)} s` : `${digits(value * 1000)} ms`
  if (unit === 'share') return `${digits(value * 100)} %`
  return digits(value)
}

/** `examples/policies/vllm.yaml router=kv-aware` is `kv-aware`. */
function shortName(variant: string): string {
  const value = variant.includes('=') ? variant.slice(variant.lastIndexOf('=') + 1) : variant
  if (value.startsWith('{')) return `${(JSON.parse(value) as { name: string }).name}, 1 s late`
  return value.slice(value.lastIndexOf('/') + 1).replace(/\.yaml$/, '')
}
