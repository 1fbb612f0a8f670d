import type { RunDetails, RunSummary } from '@windtunnel/metrics'
import type { RunProbeResult } from './runProbe.ts'

/** One run of a comparison. */
export interface ComparedRun {
  /** Money only where the price of every accelerator is known. */
  readonly summary: RunSummary & { readonly details?: Pick<RunDetails, 'money'> }
  readonly probe: RunProbeResult
}

/** A figure that variants are compared by. */
export interface ComparedFigure {
  readonly name: string
  /** `s`, `1/s`, `share`, `1` or `USD`. */
  readonly unit: 's' | '1/s' | 'share' | '1' | 'USD'
  readonly better: 'lower' | 'higher' | 'neither'
  /** Undefined when a run has no such figure, as the TPOT of one-token answers. */
  read(run: ComparedRun): number | undefined
}

type Latency = 'ttft' | 'itl' | 'tpot' | 'e2e' | 'queue'

const latency = (name: string, of: Latency, statistic: 'mean' | 'p50' | 'p99'): ComparedFigure => ({
  name: `${name} ${statistic}`,
  unit: 's',
  better: 'lower',
  read: ({ summary }) => summary[of][statistic] ?? undefined,
})

/** What is compared, in the order of the table. */
export const comparedFigures: readonly ComparedFigure[] = [
  latency('TTFT', 'ttft', 'mean'),
  latency('TTFT', 'ttft', 'p50'),
  latency('TTFT', 'ttft', 'p99'),
  latency('ITL', 'itl', 'mean'),
  latency('ITL', 'itl', 'p99'),
  latency('TPOT', 'tpot', 'mean'),
  latency('TPOT', 'tpot', 'p99'),
  latency('E2E', 'e2e', 'mean'),
  latency('E2E', 'e2e', 'p99'),
  latency('queue', 'queue', 'p99'),
  {
    name: 'output tokens',
    unit: '1/s',
    better: 'higher',
    read: ({ summary }) => summary.throughput.outputTokensPerSecond,
  },
  { name: 'requests', unit: '1/s', better: 'higher', read: ({ summary }) => summary.throughput.requestsPerSecond },
  { name: 'goodput', unit: '1/s', better: 'higher', read: ({ summary }) => summary.goodput },
  {
    name: 'not completed',
    unit: '1',
    better: 'lower',
    read: ({ summary }) => summary.requests.arrived - summary.requests.completed,
  },
  { name: 'prefix hits', unit: 'share', better: 'higher', read: ({ summary }) => summary.kv.prefixHitRate },
  { name: 'KV at its fullest', unit: 'share', better: 'neither', read: ({ summary }) => summary.kv.peakUtilisation },
  {
    name: 'cost an hour',
    unit: 'USD',
    better: 'lower',
    read: ({ summary }) => summary.details?.money?.dollarsPerHour,
  },
  {
    name: 'cost per M output tokens',
    unit: 'USD',
    better: 'lower',
    read: ({ summary }) => summary.details?.money?.dollarsPerMillionOutputTokens,
  },
  { name: 'preemptions', unit: '1', better: 'lower', read: ({ summary }) => summary.preemptions },
  { name: 'busiest / mean replica', unit: '1', better: 'lower', read: ({ probe }) => probe.imbalance },
]
