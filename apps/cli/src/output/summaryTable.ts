import type { DetailedSummary, Distribution, RunDetails } from '@windtunnel/metrics'
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
export function summaryTable(summary: DetailedSummary): string {
  const { requests, throughput, kv, details } = summary
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
    ...fleetRows(details),
    ...windowRows(details, summary.simulatedSeconds),
    ['load', `${details.saturation.state}: ${details.saturation.reason}`],
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
      latency('prefill', details.prefill),
      ...(details.transfer.count > 0 ? [latency('transfer', details.transfer)] : []),
      latency('decode', details.decode),
    ],
  )
  const warnings = summary.warnings.map((warning) => `warning: ${warning}`)
  const head = `${summary.scenario} (seed ${summary.seed})`
  return [head, '', table(['', ''], facts), '', latencies, ...(warnings.length > 0 ? ['', ...warnings] : [])].join('\n')
}

/** Replicas that come and go count while they are there. */
function acceleratorsOf(perAccelerator: RunDetails['perAccelerator']): string {
  const { accelerators } = perAccelerator ?? { accelerators: 0 }
  const mean = Number.isInteger(accelerators) ? '' : ' on average'
  return `${number(accelerators)} accelerator${accelerators === 1 ? '' : 's'}${mean}`
}

function fleetRows({ perAccelerator, utilisation, money, energy, classes, fairness }: RunDetails): string[][] {
  const rows: string[][] = []
  if (utilisation !== undefined) {
    const { busyShare, modelFlops, memoryBandwidth } = utilisation
    rows.push([
      'accelerators',
      `busy ${percent(busyShare)} of the time, MFU ${percent(modelFlops)}, memory bandwidth ${percent(memoryBandwidth)}`,
    ])
  }
  const million = money?.dollarsPerMillionOutputTokens
  if (money !== undefined && million !== undefined)
    rows.push([
      'cost',
      `$${number(money.dollarsPerHour)} an hour for ${acceleratorsOf(perAccelerator)}, $${number(million)} per million output tokens`,
    ])
  const joules = energy?.joulesInStepsPerOutputToken
  if (joules !== undefined) rows.push(['energy', `${number(joules)} J per output token, at rated power in steps`])
  if (classes.length > 1) {
    for (const { serviceClass, goodput, met } of classes)
      rows.push([`class ${serviceClass}`, `${number(goodput)} requests/s within its objectives, ${percent(met.all)}`])
  }
  if (fairness.tenants > 1)
    rows.push(['fairness', `${number(fairness.servedShare)} (Jain, share served of ${fairness.tenants} tenants)`])
  return rows
}

function windowRows({ window }: RunDetails, simulatedSeconds: number): string[][] {
  if (window.fromSeconds === 0 && window.untilSeconds === simulatedSeconds) return []
  return [
    [
      'measured',
      `${number(window.arrived)} requests that arrived from ${seconds(window.fromSeconds)} to ${seconds(window.untilSeconds)}`,
    ],
  ]
}
