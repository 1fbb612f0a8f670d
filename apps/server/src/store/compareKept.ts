import type { KeptComparison, RunSummary } from '@windtunnel/protocol'
import type { StoredRun } from './runStore.ts'

type Figure = KeptComparison['figures'][number]
type Setting = KeptComparison['settings'][number]

interface Compared extends Pick<Figure, 'figure' | 'unit' | 'better'> {
  /** Undefined when a run has no such figure. */
  read(summary: RunSummary): number | undefined
}

const LATENCIES = { ttft: 'TTFT', itl: 'ITL', tpot: 'TPOT', e2e: 'E2E', queue: 'queue' } as const

const latencies: Compared[] = (Object.keys(LATENCIES) as (keyof typeof LATENCIES)[]).flatMap((metric) =>
  (['mean', 'p50', 'p99'] as const).map((part) => ({
    figure: `${LATENCIES[metric]} ${part}`,
    unit: 's',
    better: 'lower' as const,
    read: (summary: RunSummary) => summary[metric][part],
  })),
)

const COMPARED: readonly Compared[] = [
  ...latencies,
  { figure: 'requests', unit: '1/s', better: 'higher', read: ({ throughput }) => throughput.requestsPerSecond },
  {
    figure: 'output tokens',
    unit: '1/s',
    better: 'higher',
    read: ({ throughput }) => throughput.outputTokensPerSecond,
  },
  { figure: 'goodput', unit: '1/s', better: 'higher', read: ({ goodput }) => goodput },
  { figure: 'arrived', unit: '1', better: 'neither', read: ({ requests }) => requests.arrived },
  { figure: 'completed', unit: '1', better: 'higher', read: ({ requests }) => requests.completed },
  { figure: 'prefix hits', unit: 'share', better: 'higher', read: ({ kv }) => kv.prefixHitRate },
  { figure: 'KV at its fullest', unit: 'share', better: 'neither', read: ({ kv }) => kv.peakUtilisation },
  { figure: 'preemptions', unit: '1', better: 'lower', read: ({ preemptions }) => preemptions },
  { figure: 'simulated', unit: 's', better: 'neither', read: ({ simulatedSeconds }) => simulatedSeconds },
]

/** How two kept runs differ. Figures are compared where both runs have a summary. */
export function compareKept(first: StoredRun, second: StoredRun): KeptComparison {
  const [one, other] = [summaryOf(first), summaryOf(second)]
  return {
    first: keptOf(first),
    second: keptOf(second),
    sameFacts: one !== undefined && one.factsHash === other?.factsHash,
    settings: settingsThatDiffer(JSON.parse(first.scenarioDocument), JSON.parse(second.scenarioDocument)),
    figures: one === undefined || other === undefined ? [] : COMPARED.map((compared) => figureOf(compared, one, other)),
  }
}

function figureOf({ read, ...named }: Compared, one: RunSummary, other: RunSummary): Figure {
  const [first, second] = [read(one), read(other)]
  const difference = first === undefined || second === undefined ? undefined : second - first
  return {
    ...named,
    ...(first === undefined ? {} : { first }),
    ...(second === undefined ? {} : { second }),
    ...(difference === undefined ? {} : { difference }),
    ...(difference === undefined || !first ? {} : { relative: difference / first }),
  }
}

const summaryOf = ({ summary }: StoredRun): RunSummary | undefined =>
  summary === undefined ? undefined : (JSON.parse(summary) as RunSummary)

const keptOf = ({ id, run, scenario, seed, startedAt, endedAt }: StoredRun): KeptComparison['first'] => ({
  id,
  run,
  scenario,
  seed,
  startedAt,
  ...(endedAt === undefined ? {} : { endedAt }),
})

type Leaf = NonNullable<Setting['first']>

function settingsThatDiffer(first: unknown, second: unknown): Setting[] {
  const [one, other] = [leavesOf(first), leavesOf(second)]
  const paths = [...new Set([...one.keys(), ...other.keys()])]
  return paths.flatMap((path) => {
    const [a, b] = [one.get(path), other.get(path)]
    if (a === b) return []
    return [{ path, ...(a === undefined ? {} : { first: a }), ...(b === undefined ? {} : { second: b }) }]
  })
}

/** Every plain value of a document under its path, such as fleet[0].replicas. */
function leavesOf(value: unknown, path = '', leaves = new Map<string, Leaf>()): Map<string, Leaf> {
  if (typeof value !== 'object' || value === null) return leaves.set(path, value as Leaf)
  for (const [key, one] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
    leavesOf(one, `${path}${step}`, leaves)
  }
  return leaves
}
