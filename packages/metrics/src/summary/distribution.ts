import type { Histogram } from '../sketch/histogram.ts'

/** A distribution of durations in seconds. Everything but the count is absent when nothing was recorded. */
export interface Distribution {
  mean?: number
  p50?: number
  p90?: number
  p95?: number
  p99?: number
  max?: number
  count: number
}

export function distributionOf(histogram: Histogram): Distribution {
  if (histogram.count === 0) return { count: 0 }
  return {
    mean: histogram.meanSeconds!,
    p50: histogram.quantileSeconds(0.5)!,
    p90: histogram.quantileSeconds(0.9)!,
    p95: histogram.quantileSeconds(0.95)!,
    p99: histogram.quantileSeconds(0.99)!,
    max: histogram.largestSeconds!,
    count: histogram.count,
  }
}
