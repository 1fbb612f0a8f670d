const BUCKETS = 512
const FIRST_WIDTH_SECONDS = 1 / 16

/** Arrivals, admissions and endings over time, in at most 512 buckets: they double their width when a run outgrows them. */
export class BacklogSeries {
  #width = FIRST_WIDTH_SECONDS
  readonly #arrivals = new Float64Array(BUCKETS)
  /** Requests that left the queue: admitted, or ended without it; less those that wait again. */
  readonly #dequeued = new Float64Array(BUCKETS)
  readonly #endings = new Float64Array(BUCKETS)

  get bucketSeconds(): number {
    return this.#width
  }

  arrived(time: number): void {
    this.#arrivals[this.#at(time)]! += 1
  }

  dequeued(time: number): void {
    this.#dequeued[this.#at(time)]! += 1
  }

  /** A request waits once more: its KV cache is on its way to another replica. */
  waitsAgain(time: number): void {
    this.#dequeued[this.#at(time)]! -= 1
  }

  ended(time: number): void {
    this.#endings[this.#at(time)]! += 1
  }

  /** Buckets from the start to the last one with an arrival, with what was waiting and inside at the end of each. */
  points(): { arrivals: number; waiting: number; inside: number }[] {
    let last = BUCKETS - 1
    while (last >= 0 && this.#arrivals[last] === 0) last -= 1
    let waiting = 0
    let inside = 0
    return [...this.#arrivals.subarray(0, last + 1)].map((arrivals, at) => {
      waiting += arrivals - this.#dequeued[at]!
      inside += arrivals - this.#endings[at]!
      return { arrivals, waiting, inside }
    })
  }

  #at(time: number): number {
    let bucket = Math.floor(time / this.#width)
    while (bucket >= BUCKETS) {
      this.#fold()
      bucket = Math.floor(time / this.#width)
    }
    return bucket
  }

  #fold(): void {
    this.#width *= 2
    for (const column of [this.#arrivals, this.#dequeued, this.#endings]) {
      for (let at = 0; at < BUCKETS / 2; at++) column[at] = column[2 * at]! + column[2 * at + 1]!
      column.fill(0, BUCKETS / 2)
    }
  }
}
