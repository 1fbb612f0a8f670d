import { SECONDS_PER_TICK } from '../ticks.ts'
import { ExactSum } from './exactSum.ts'
import { BUCKETS_PER_OCTAVE, bucketMiddle, bucketOf, bucketStart } from './floatBits.ts'

/** Below so many steps a bucket, recording one by one is faster than finding the bucket's edge. */
const STEPS_PER_BUCKET_TO_WALK = 8

/** So many durations wait to be recorded together: what a loop keeps in registers is read once for all of them. */
const WAITING = 32

const EXACT = 9_007_199_254_740_992 // 2^53: sums of whole numbers that stay below are exact

/**
 * Log-linear histogram of durations in whole ticks: 512 buckets an octave, so that a percentile is within 0.1 % of the
 * exact one. Count, sum, least and largest value are exact and do not depend on the order of recording, so that single
 * durations may wait; merging adds arrays and is exact. Memory is the octaves in use, 4 KB each.
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
  /** Durations in ticks, not yet rounded, that are in none of the above. */
  private readonly waiting = new Float64Array(WAITING)
  private waitingCount = 0

  get count(): number {
    this.settle()
    return this.recorded
  }

  /** Records a duration of `ticks` (>= 0), rounded to a whole number of them. */
  record(ticks: number): void {
    if (ticks >= 0.5) {
      const at = this.waitingCount
      this.waiting[at] = ticks
      this.waitingCount = at + 1
      if (at + 1 === WAITING) this.settle()
    } else this.place(Math.round(ticks), 1)
  }

  /** Records `ticks` (whole, >= 0) `weight` times. */
  recordTimes(ticks: number, weight: number): void {
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
      this.recordTimes(firstTicks, steps * sequences)
      return
    }
    this.sum.addSeries(firstTicks, growthTicks, steps, sequences)
    const walk = firstTicks >= 1 && firstTicks >= growthTicks * (BUCKETS_PER_OCTAVE * STEPS_PER_BUCKET_TO_WALK)
    if (walk) this.walkEdges(firstTicks, growthTicks, steps, sequences)
    else for (let step = 0; step < steps; step++) this.place(firstTicks + step * growthTicks, sequences)
  }

  /** Adds all that `other` recorded. */
  merge(other: Histogram): void {
    other.settle()
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
    this.waitingCount = 0
    this.zeros = 0
    this.recorded = 0
    this.least = Number.POSITIVE_INFINITY
    this.largest = Number.NEGATIVE_INFINITY
    this.sum.clear()
  }

  /** Seconds; undefined when nothing was recorded. */
  get sumSeconds(): number {
    this.settle()
    return this.sum.seconds()
  }

  get meanSeconds(): number | undefined {
    return this.count === 0 ? undefined : this.sum.seconds() / this.recorded
  }

  get leastSeconds(): number | undefined {
    return this.count === 0 ? undefined : this.least * SECONDS_PER_TICK
  }

  get largestSeconds(): number | undefined {
    return this.count === 0 ? undefined : this.largest * SECONDS_PER_TICK
  }

  /**
   * The `quantile` (0 to 1) in seconds, interpolated between the two nearest ranks as NumPy does; each rank is within
   * 0.1 %. Undefined when nothing was recorded.
   */
  quantileSeconds(quantile: number): number | undefined {
    if (this.count === 0) return undefined
    const position = quantile * (this.recorded - 1)
    const rank = Math.floor(position)
    const lower = this.valueAtRank(rank)
    const part = position - rank
    const ticks = part === 0 ? lower : lower + (this.valueAtRank(rank + 1) - lower) * part
    return ticks * SECONDS_PER_TICK
  }

  /** Values at or below `seconds`, to within the bucket that holds the limit. */
  countAtMost(seconds: number): number {
    this.settle()
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
    return this.count === 0 ? undefined : this.countAtMost(seconds) / this.recorded
  }

  /** Calls `visit` with the upper edge in seconds and the count of every bucket that is not empty, in rising order. */
  forEachBucket(visit: (upperSeconds: number, count: number) => void): void {
    this.settle()
    if (this.zeros > 0) visit(0, this.zeros)
    for (let index = 0; index < this.counts.length; index++) {
      const count = this.counts[index]!
      if (count > 0) visit(bucketStart(this.base + index + 1) * SECONDS_PER_TICK, count)
    }
  }

  /** Takes up what waits. */
  private settle(): void {
    const { waiting, waitingCount } = this
    if (waitingCount === 0) return
    for (let at = this.settleFrom(0); at < waitingCount; at = this.settleFrom(at)) {
      this.cover(bucketOf(Math.round(waiting[at]!)))
    }
    this.recorded += waitingCount
    this.waitingCount = 0
  }

  /**
   * Takes up what waits from `from` on, up to the first that lies in no bucket of `counts`; returns where that is. The loop
   * calls nothing, so that all it needs stays in registers.
   */
  private settleFrom(from: number): number {
    const { waiting, waitingCount, counts, base, end } = this
    let { least, largest } = this
    let total = 0
    let at = from
    while (at < waitingCount) {
      const ticks = Math.round(waiting[at]!)
      const bucket = bucketOf(ticks)
      if (bucket < base || bucket >= end) break
      counts[bucket - base]! += 1
      if (ticks < least) least = ticks
      if (ticks > largest) largest = ticks
      total += ticks
      at += 1
    }
    this.least = least
    this.largest = largest
    if (total < EXACT) this.sum.add(total)
    else for (let again = from; again < at; again++) this.sum.add(Math.round(waiting[again]!))
    return at
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
