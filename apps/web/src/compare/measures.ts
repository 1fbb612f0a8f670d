import type { RunSummary } from '@windtunnel/protocol'
import { latency, percent, text, threeDigits } from '../format/quantity.ts'

/** One row of the comparison. */
export interface Measure {
  name: string
  value: (summary: RunSummary) => number | undefined
  show: (value: number) => string
  better: 'lower' | 'higher'
}

const seconds = (value: number): string => (value < 0 ? `−${text(latency(-value))}` : text(latency(value)))
const rate = (unit: string) => (value: number) => `${value < 0 ? '−' : ''}${threeDigits(Math.abs(value))} ${unit}`
const share = (value: number): string => `${value < 0 ? '−' : ''}${text(percent(Math.abs(value)))}`

export const measures: readonly Measure[] = [
  { name: 'TTFT p50', value: (summary) => summary.ttft.p50, show: seconds, better: 'lower' },
  { name: 'TTFT p99', value: (summary) => summary.ttft.p99, show: seconds, better: 'lower' },
  { name: 'ITL p50', value: (summary) => summary.itl.p50, show: seconds, better: 'lower' },
  { name: 'ITL p99', value: (summary) => summary.itl.p99, show: seconds, better: 'lower' },
  { name: 'TPOT p99', value: (summary) => summary.tpot.p99, show: seconds, better: 'lower' },
  { name: 'E2E p99', value: (summary) => summary.e2e.p99, show: rate('s'), better: 'lower' },
  { name: 'Queue p99', value: (summary) => summary.queue.p99, show: seconds, better: 'lower' },
  { name: 'Goodput', value: (summary) => summary.goodput, show: rate('req/s'), better: 'higher' },
  {
    name: 'Output',
    value: (summary) => summary.throughput.outputTokensPerSecond,
    show: rate('tok/s'),
    better: 'higher',
  },
  { name: 'KV peak', value: (summary) => summary.kv.peakUtilisation, show: share, better: 'lower' },
  { name: 'Prefix hits', value: (summary) => summary.kv.prefixHitRate, show: share, better: 'higher' },
  { name: 'Preemptions', value: (summary) => summary.preemptions, show: rate(''), better: 'lower' },
]
