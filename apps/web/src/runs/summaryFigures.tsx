import type { RunSummary } from '@windtunnel/protocol'
import { latency, percent, text, threeDigits, whole } from '../format/quantity.ts'

const figures = (summary: RunSummary): [string, string][] => [
  ['Completed', `${whole(summary.requests.completed)} of ${whole(summary.requests.arrived)}`],
  ['TTFT p50 · p99', `${text(latency(summary.ttft.p50))} · ${text(latency(summary.ttft.p99))}`],
  ['ITL p50 · p99', `${text(latency(summary.itl.p50))} · ${text(latency(summary.itl.p99))}`],
  ['E2E p99', text(latency(summary.e2e.p99))],
  ['Output', `${threeDigits(summary.throughput.outputTokensPerSecond)} tok/s`],
  ['Goodput', `${threeDigits(summary.goodput)} req/s`],
  ['KV peak', text(percent(summary.kv.peakUtilisation))],
  ['Prefix hits', text(percent(summary.kv.prefixHitRate))],
  ['Preemptions', whole(summary.preemptions)],
  ['Facts hash', summary.factsHash],
]

/** The figures of a whole run. */
export const SummaryFigures = ({ summary, narrow = false }: { summary: RunSummary; narrow?: boolean }) => (
  <dl className={narrow ? 'run-figures narrow' : 'run-figures'}>
    {figures(summary).map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
