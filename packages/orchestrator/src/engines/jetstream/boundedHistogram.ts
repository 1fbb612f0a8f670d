import type { ServerMetric } from '../serverMetric.ts'

/** Observations below fixed upper bounds, as a Prometheus histogram keeps them. */
export class BoundedHistogram {
  count = 0
  sum = 0
  readonly #bounds: readonly number[]
  readonly #counts: number[]

  /** `bounds` rise. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    this.count += 1
    this.sum += value
    const at = this.#bounds.findIndex((bound) => value <= bound)
    if (at >= 0) this.#counts[at]! += 1
  }

  sample(): ServerMetric['sample'] {
    let below = 0
    const cumulative = this.#counts.map((count) => {
      below += count
      return below
    })
    return { type: 'histogram', bounds: this.#bounds, cumulative, sum: this.sum, count: this.count }
  }
}
