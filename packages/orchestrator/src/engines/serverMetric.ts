/** One series of the metrics page that a simulated server shows of itself, in Prometheus's terms. */
export interface ServerMetric {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly sample:
    | { readonly type: 'gauge' | 'counter'; readonly value: number }
    | {
        readonly type: 'histogram'
        /** Upper bounds, rising, and how many observations lie at or below each. */
        readonly bounds: readonly number[]
        readonly cumulative: readonly number[]
        readonly sum: number
        readonly count: number
      }
}
