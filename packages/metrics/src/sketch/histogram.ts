import { SECONDS_PER_TICK } from '../ticks.ts'
import { ExactSum } from './exactSum.ts'
import { BUCKETS_PER_OCTAVE, bucketMiddle, bucketOf, bucketStart } from './floatBits.ts'

/** Below so many steps a bucket, recording one by one is faster than finding the bucket's edge. */
const STEPS_PER_BUCKET_TO_WALK = 8

/**
 * Log-linear histogram of durations in whole ticks: 512 buckets an octave, so that a percentile is within 0.1 % of the
 * exact one. Count, sum, least and largest value are exact and do not depend on the order of recording; merging adds
 * arrays and is exact. Memory is the octaves in use, 4 KB each.
 */
export class Histogram {
  private counts = new Float64Array(0)
  /** First bucket that `counts` holds, a multiple of 512, and the one after its last: the length is slow to ask for. */
  private base = 0
  private end = 0
  private zeros = 0
  private recorded = 0
  private least = Number.POSITIVE_INFINITY
  private largest = Number.NEGATIVE_INFINITY
  private readonly sum = new ExactSum()

  get count(): number {
    return this.recorded
  }

  /** Records `ticks` (whole, >= 0) `weight` times. */
  record(ticks: number, weight = 1): void {
    this.place(ticks, weight)
    this.sum.addProduct(ticks, weight)
  }

  /**
   * Records a decode run: step j of `steps` closes `sequences` gaps of `firstTicks + j * growthTicks`. Bit for bit what
   * recording step by step gives; a long run walks from bucket edge to bucket edge.
   */
  recordRun(firstTicks: number, growthTicks: number, steps: number, sequences: number): void {
    if (steps <= 0 || sequences <= 0) return
    if (steps === 1 || growthTicks === 0) {
      this.record(firstTicks, steps * sequences)
      return
    }
    this.sum.addSeries(firstTicks, growthTicks, steps, sequences)
    const walk = firstTicks >= 1 && firstTicks >= growthTicks * (BUCKETS_PER_OCTAVE * STEPS_PER_BUCKET_TO_WALK)
    if (walk) this.walkEdges(firstTicks, growthTicks, steps, sequences)
    else for (let step = 0; step < steps; step++) this.place(firstTicks + step * growthTicks, sequences)
  }

  /** Adds all that `other` recorded. */
  merge(other: Histogram): void {
    if (other.recorded === 0) return
    this.recorded += other.recorded
    this.zeros += other.zeros
    if (other.least < this.least) this.least = other.least
    if (other.largest > this.largest) this.largest = other.largest
    this.sum.addSum(other.sum)
    if (other.largest === 0) return
    // Only from the least to the largest value: a slot that is used again covers more than it holds.
    const first = other.least >= 1 ? bucketOf(other.least) : other.base
    const last = bucketOf(other.largest)
    this.cover(first)
    this.cover(last)
    const counts = this.counts
    const more = other.counts
    const shift = other.base - this.base
    const end = last - other.base
    for (let index = first - other.base; index <= end; index++) counts[index + shift]! += more[index]!
  }

  clear(): void {
    this.counts.fill(0)
    this.zeros = 0
    this.recorded = 0
    this.least = Number.POSITIVE_INFINITY
    this.largest = Number.NEGATIVE_INFINITY
    this.sum.clear()
  }

  /** Seconds; undefined when nothing was recorded. */
  get sumSeconds(): number {
    return this.sum.seconds()
  }

  get meanSeconds(): number | undefined {
    return this.recorded === 0 ? undefined : this.sum.seconds() / this.recorded
  }

  get leastSeconds(): number | undefined {
    return this.recorded === 0 ? undefined : this.least * SECONDS_PER_TICK
  }

  get largestSeconds(): number | undefined {
    return this.recorded === 0 ? undefined : this.largest * SECONDS_PER_TICK
  }

  /**
   * The `quantile` (0 to 1) in seconds, interpolated between the two nearest ranks as NumPy does; each rank is within
   * 0.1 %. Undefined when nothing was recorded.
   */
  quantileSeconds(quantile: number): number | undefined {
    if (this.recorded === 0) return undefined
    const position = quantile * (this.recorded - 1)
    const rank = Math.floor(position)
    const lower = this.valueAtRank(rank)
    const part = position - rank
    const ticks = part === 0 ? lower : lower + (this.valueAtRank(rank + 1) - lower) * part
    return ticks * SECONDS_PER_TICK
  }

  /** Values at or below `seconds`, to within the bucket that holds the limit. */
  countAtMost(seconds: number): number {
    const limit = seconds / SECONDS_PER_TICK
    if (limit >= this.largest) return this.recorded
    if (limit < this.least) return 0
    const last = limit >= 1 ? bucketOf(limit) - this.base : -1
    let below = this.zeros
    for (let index = 0; index <= last && index < this.counts.length; index++) below += this.counts[index]!
    return below
  }

  /** The same as a share of 0 to 1; undefined when nothing was recorded. */
  shareAtMost(seconds: number): number | undefined {
    return this.recorded === 0 ? undefined : this.countAtMost(seconds) / this.recorded
  }

  /** Calls `visit` with the upper edge in seconds and the count of every bucket that is not empty, in rising order. */
  forEachBucket(visit: (upperSeconds: number, count: number) => void): void {
    if (this.zeros > 0) visit(0, this.zeros)
    for (let index = 0; index < this.counts.length; index++) {
      const count = this.counts[index]!
      if (count > 0) visit(bucketStart(this.base + index + 1) * SECONDS_PER_TICK, count)
    }
  }

  private place(ticks: number, weight: number): void {
    this.recorded += weight
    if (ticks < this.least) this.least = ticks
    if (ticks > this.largest) this.largest = ticks
    if (ticks >= 1) this.add(bucketOf(ticks), weight)
    else this.addZero(ticks, weight)
  }

  private add(bucket: number, weight: number): void {
    const { base, end, counts } = this
    if (bucket >= base && bucket < end) counts[bucket - base]! += weight
    else this.addBeyond(bucket, weight)
  }

  private addBeyond(bucket: number, weight: number): void {
    this.cover(bucket)
    this.counts[bucket - this.base]! += weight
  }

  private addZero(ticks: number, weight: number): void {
    if (ticks !== 0) throw new RangeError(`A duration must be a whole number of ticks >= 0; found ${ticks}`)
    this.zeros += weight
  }

  private walkEdges(first: number, growth: number, steps: number, sequences: number): void {
    const last = first + (steps - 1) * growth
    this.recorded += steps * sequences
    if (first < this.least) this.least = first
    if (last > this.largest) this.largest = last
    const lastBucket = bucketOf(last)
    let step = 0
    for (let bucket = bucketOf(first); bucket !== lastBucket; bucket = bucketOf(first + step * growth)) {
      const edge = bucketStart(bucket + 1)
      let end = Math.ceil((edge - first) / growth)
      // The division may round across the edge: settle it with exact products.
      while (first + (end - 1) * growth >= edge) end -= 1
      while (first + end * growth < edge) end += 1
      this.add(bucket, (end - step) * sequences)
      step = end
    }
    this.add(lastBucket, (steps - step) * sequences)
  }

  /** Makes room for `bucket` by whole octaves. */
  private cover(bucket: number): void {
    const octave = Math.floor(bucket / BUCKETS_PER_OCTAVE) * BUCKETS_PER_OCTAVE
    const empty = this.counts.length === 0
    const base = empty ? octave : Math.min(octave, this.base)
    const end = empty ? octave + BUCKETS_PER_OCTAVE : Math.max(octave + BUCKETS_PER_OCTAVE, this.end)
    if (base === this.base && end === this.end) return
    const grown = new Float64Array(end - base)
    if (!empty) grown.set(this.counts, this.base - base)
    this.counts = grown
    this.base = base
    this.end = end
  }

  private valueAtRank(rank: number): number {
    if (rank <= 0) return this.least
    if (rank >= this.recorded - 1) return this.largest
    let seen = this.zeros
    if (rank < seen) return 0
    for (let index = 0; index < this.counts.length; index++) {
      seen += this.counts[index]!
      if (rank < seen) {
        const middle = bucketMiddle(this.base + index)
        return Math.min(Math.max(middle, this.least), this.largest)
      }
    }
    return this.largest
  }
}
