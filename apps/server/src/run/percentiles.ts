import type { Histogram } from '@windtunnel/metrics'
import type { WindowPercentiles } from '@windtunnel/protocol'

/** Undefined when nothing was recorded. */
export function percentiles(histogram: Histogram): WindowPercentiles | undefined {
  if (histogram.count === 0) return undefined
  return {
    p50: histogram.quantileSeconds(0.5)!,
    p90: histogram.quantileSeconds(0.9)!,
    p99: histogram.quantileSeconds(0.99)!,
  }
}
