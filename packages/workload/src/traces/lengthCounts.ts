/** Lengths in tokens. Percentiles are interpolated between neighbours (numpy's default). */
export interface LengthSummary {
  readonly mean: number | undefined
  readonly minimum: number | undefined
  readonly p50: number | undefined
  readonly p90: number | undefined
  readonly p99: number | undefined
  readonly maximum: number | undefined
  readonly total: number
}

/** How often each length occurs. */
export class LengthCounts {
  private readonly counts = new Map<number, number>()
  private size = 0
  private total = 0

  add(tokens: number): void {
    this.counts.set(tokens, (this.counts.get(tokens) ?? 0) + 1)
    this.size++
    this.total += tokens
  }

  /** Lengths and counts in rising order of length. */
  sorted(): [number, number][] {
    return [...this.counts].sort((a, b) => a[0] - b[0])
  }

  /** The length below which this share of all lies, between neighbours; undefined without lengths. */
  at(share: number): number | undefined {
    return this.percentile(this.sorted(), share)
  }

  summary(): LengthSummary {
    const sorted = this.sorted()
    return {
      mean: this.size > 0 ? this.total / this.size : undefined,
      minimum: sorted[0]?.[0],
      p50: this.percentile(sorted, 0.5),
      p90: this.percentile(sorted, 0.9),
      p99: this.percentile(sorted, 0.99),
      maximum: sorted.at(-1)?.[0],
      total: this.total,
    }
  }

  private percentile(sorted: readonly [number, number][], share: number): number | undefined {
    if (this.size === 0) return undefined
    const rank = share * (this.size - 1)
    const low = Math.floor(rank)
    const a = valueAt(sorted, low)
    const b = valueAt(sorted, Math.min(low + 1, this.size - 1))
    return a + (b - a) * (rank - low)
  }
}

/** The length of this rank (from 0) among all. */
function valueAt(sorted: readonly [number, number][], rank: number): number {
  let before = 0
  for (const [length, count] of sorted) {
    before += count
    if (rank < before) return length
  }
  return sorted.at(-1)![0]
}
