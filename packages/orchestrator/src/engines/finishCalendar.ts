import { NO_SLOT, type RequestTable } from '../requests.ts'

/**
 * Decoding requests filed by the absolute step at which they finish. A ring of buckets with a bitmap: filing, removing and
 * finding the next finish cost O(1) (the search reads 32 steps a word). The ring is always longer than the longest
 * remaining output, so two steps never share a bucket. Within a bucket, requests stand in the order in which they were filed.
 */
export class FinishCalendar {
  private table: RequestTable
  private size: number
  /** By bucket: the first and the last request. */
  private ends: Int32Array
  private bits: Uint32Array
  private filed = 0

  constructor(table: RequestTable, size = 256) {
    this.table = table
    this.size = size
    this.ends = new Int32Array(2 * size).fill(NO_SLOT)
    this.bits = new Uint32Array(size >>> 5)
  }

  get count(): number {
    return this.filed
  }

  /** Files `slot` under `finishStep`; `currentStep` <= finishStep is the earliest step still on file. */
  add(slot: number, finishStep: number, currentStep: number): void {
    if (finishStep - currentStep >= this.size - 2) this.grow(finishStep - currentStep, currentStep)
    const table = this.table
    table.finishStep[slot] = finishStep
    const bucket = finishStep & (this.size - 1)
    const last = this.ends[2 * bucket + 1]!
    table.finishPrevious[slot] = last
    table.finishNext[slot] = NO_SLOT
    if (last === NO_SLOT) {
      this.ends[2 * bucket] = slot
      this.bits[bucket >>> 5]! |= 1 << (bucket & 31)
    } else {
      table.finishNext[last] = slot
    }
    this.ends[2 * bucket + 1] = slot
    this.filed += 1
  }

  remove(slot: number): void {
    const table = this.table
    const bucket = table.finishStep[slot]! & (this.size - 1)
    const previous = table.finishPrevious[slot]!
    const next = table.finishNext[slot]!
    if (previous === NO_SLOT) this.ends[2 * bucket] = next
    else table.finishNext[previous] = next
    if (next === NO_SLOT) this.ends[2 * bucket + 1] = previous
    else table.finishPrevious[next] = previous
    if (this.ends[2 * bucket] === NO_SLOT) this.bits[bucket >>> 5]! &= ~(1 << (bucket & 31))
    this.filed -= 1
  }

  /** First request that finishes at `step`, or NO_SLOT; the others follow by `table.finishNext`. */
  at(step: number): number {
    return this.ends[2 * (step & (this.size - 1))]!
  }

  /** The earliest finish step at or after `fromStep`; undefined when nothing is filed. */
  next(fromStep: number): number | undefined {
    if (this.filed === 0) return undefined
    const mask = this.size - 1
    const start = fromStep & mask
    const words = this.bits.length
    let word = start >>> 5
    let bits = this.bits[word]! & (-1 << (start & 31))
    for (let scanned = 0; scanned <= words; scanned++) {
      if (bits !== 0) {
        const bucket = (word << 5) + (31 - Math.clz32(bits & -bits))
        return fromStep + ((bucket - start) & mask)
      }
      word = word + 1 === words ? 0 : word + 1
      bits = this.bits[word]!
    }
    return undefined
  }

  private grow(distance: number, currentStep: number): void {
    const filed: number[] = []
    let step = this.next(currentStep)
    while (step !== undefined && filed.length < this.filed) {
      for (let slot = this.at(step); slot !== NO_SLOT; slot = this.table.finishNext[slot]!) filed.push(slot)
      if (filed.length < this.filed) step = this.next(step + 1)
    }
    let size = this.size
    while (distance >= size - 2) size *= 2
    this.size = size
    this.ends = new Int32Array(2 * size).fill(NO_SLOT)
    this.bits = new Uint32Array(size >>> 5)
    this.filed = 0
    for (const slot of filed) this.add(slot, this.table.finishStep[slot]!, currentStep)
  }
}
