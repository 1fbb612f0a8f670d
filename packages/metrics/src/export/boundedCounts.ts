/** Counts below fixed upper bounds, as a Prometheus histogram wants them; values are whole numbers such as tokens. */
export class BoundedCounts {
  readonly bounds: readonly number[]
  readonly #counts: Float64Array
  #count = 0
  #sum = 0

  /** `bounds` rise. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.#counts = new Float64Array(bounds.length)
  }

  record(value: number): void {
    this.#count += 1
    this.#sum += value
    const index = this.bounds.findIndex((bound) => value <= bound)
    if (index >= 0) this.#counts[index]! += 1
  }

  get count(): number {
    return this.#count
  }

  get sum(): number {
    return this.#sum
  }

  /** Values at or below each bound, rising. */
  cumulative(): number[] {
    let sum = 0
    return Array.from(this.#counts, (count) => {
      sum += count
      return sum
    })
  }
}
