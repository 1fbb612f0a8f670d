import type { Distribution, RunSummary } from '@windtunnel/metrics'
import { number, percent, seconds } from './format.ts'
import { right, table } from './table.ts'

const latency = (name: string, figures: Distribution): string[] => [
  name,
  seconds(figures.mean),
  seconds(figures.p50),
  seconds(figures.p90),
  seconds(figures.p95),
  seconds(figures.p99),
  seconds(figures.max),
  number(figures.count),
]

/** The figures of a run for a person. */
export function summaryTable(summary: RunSummary): string {
  const { requests, throughput, kv } = summary
  const endings = (['rejected', 'failed', 'cancelled', 'timedOut', 'unfinished'] as const)
    .filter((ending) => requests[ending] > 0)
    .map((ending) => `${number(requests[ending])} ${ending === 'timedOut' ? 'timed out' : ending}`)
  const counts = [`${number(requests.arrived)} arrived`, `${number(requests.completed)} completed`, ...endings].join(
    ', ',
  )
  const facts = [
    ['requests', counts],
    [
      'throughput',
      `${number(throughput.requestsPerSecond)} requests/s, ${number(throughput.outputTokensPerSecond)} output tokens/s, ${number(throughput.inputTokensPerSecond)} input tokens/s`,
    ],
    ['goodput', `${number(summary.goodput)} requests/s within their objectives`],
    ['KV cache', `${percent(kv.peakUtilisation)} at its fullest, ${percent(kv.prefixHitRate)} of prompt tokens found`],
    ['preemptions', number(summary.preemptions)],
    ['step cost', `${summary.cost.backend}${summary.cost.extrapolated ? ', extrapolated' : ''}`],
    [
      'simulated',
      `${seconds(summary.simulatedSeconds)} in ${seconds(summary.simulatorSeconds)} (${number(summary.simulatedSeconds / Math.max(summary.simulatorSeconds, 1e-9), 3)}x real time)`,
    ],
    ['facts', summary.factsHash],
  ]
  const latencies = table(
    ['', right('mean'), right('p50'), right('p90'), right('p95'), right('p99'), right('max'), right('count')],
    [
      latency('TTFT', summary.ttft),
      latency('ITL', summary.itl),
      latency('TPOT', summary.tpot),
      latency('E2E', summary.e2e),
      latency('queue', summary.queue),
    ],
  )
  const warnings = summary.warnings.map((warning) => `warning: ${warning}`)
  const head = `${summary.scenario} (seed ${summary.seed})`
  return [head, '', table(['', ''], facts), '', latencies, ...(warnings.length > 0 ? ['', ...warnings] : [])].join('\n')
}
