import type { Time } from './time.ts'
import { SECONDS_PER_TICK } from './time.ts'

/**
 * An entry is four numbers next to each other, so that a look at an event touches one line of the processor's cache. That of
 * an index begins at `index << FIELDS`: bit operations, because sums and products would be checked for overflow.
 */
const FIELDS = 2
const KEY = 0
const SECONDS = 1
const TICKS = 2
const ORDER = 3

/**
 * At most one pending event for each index 0 .. n - 1 (the next event of each replica), in the order of (seconds, ticks,
 * order, index). `set` moves an entry wherever it was. A binary heap on typed arrays that knows where each index is;
 * nothing is allocated per operation.
 */
export class IndexedEventQueue {
  private length = 0
  private heap: Int32Array
  /** By index: position in the heap plus one, 0 when it has no event; and the entry: its time rounded to a double, then exactly. */
  private places: Int32Array
  private entries: Float64Array

  constructor(indices: number) {
    this.heap = new Int32Array(indices)
    this.places = new Int32Array(indices)
    this.entries = new Float64Array(indices << FIELDS)
  }

  /** Number of indices that have an event. */
  get size(): number {
    return this.length
  }

  /** Number of indices that may have one. */
  get indices(): number {
    return this.heap.length
  }

  /** Makes room for indices up to `indices` - 1; events stay. */
  grow(indices: number): void {
    if (indices <= this.indices) return
    this.heap = into(new Int32Array(indices), this.heap)
    this.places = into(new Int32Array(indices), this.places)
    this.entries = into(new Float64Array(indices << FIELDS), this.entries)
  }

  has(index: number): boolean {
    return this.places[index]! > 0
  }

  /** Gives `index` its one event, in place of any it had. */
  set(index: number, time: Time, order: number): void {
    const place = this.places[index]
    if (place === undefined) {
      throw new RangeError(`IndexedEventQueue: index ${index} is not in 0 .. ${this.indices - 1}`)
    }
    const { entries } = this
    const { seconds, ticks } = time
    const entry = index << FIELDS
    entries[entry | KEY] = seconds + ticks * SECONDS_PER_TICK
    entries[entry | SECONDS] = seconds
    entries[entry | TICKS] = ticks
    entries[entry | ORDER] = order
    if (place === 0) this.siftUp(this.length++, index)
    // With one event there is nothing to order: that of a fleet of one replica.
    else if (this.length > 1) this.settle(place - 1, index)
  }

  /** Takes the event of `index` away; false when it had none. */
  remove(index: number): boolean {
    const place = this.places[index]!
    if (!(place > 0)) return false
    this.places[index] = 0
    const last = this.heap[--this.length]!
    if (last !== index) this.settle(place - 1, last)
    return true
  }

  /** The index whose event comes first. The queue must not be empty. */
  get first(): number {
    return this.heap[0]!
  }

  /** The index whose event comes second; undefined when there is at most one. */
  get second(): number | undefined {
    if (this.length < 2) return undefined
    const left = this.heap[1]!
    if (this.length === 2) return left
    const right = this.heap[2]!
    return this.before(right, left) ? right : left
  }

  /** Writes the time of the first event into `into`; false when there is none. */
  peek(into: Time): boolean {
    if (this.length === 0) return false
    this.readTime(this.heap[0]!, into)
    return true
  }

  /** Writes the time of the event of `index` into `into`; false when it has none. */
  timeOf(index: number, into: Time): boolean {
    if (!this.has(index)) return false
    this.readTime(index, into)
    return true
  }

  orderOf(index: number): number {
    return this.entries[(index << FIELDS) | ORDER]!
  }

  /** Writes the time of the first event into `into` if there is one that comes before another at `time` with `order`. */
  peekBefore(time: Time, order: number, into: Time): boolean {
    if (this.length === 0) return false
    const { entries } = this
    const entry = this.heap[0]! << FIELDS
    const seconds = entries[entry | SECONDS]!
    const ticks = entries[entry | TICKS]!
    if ((seconds - time.seconds || ticks - time.ticks || entries[entry | ORDER]! - order) >= 0) return false
    into.seconds = seconds
    into.ticks = ticks
    return true
  }

  private readTime(index: number, into: Time): void {
    into.seconds = this.entries[(index << FIELDS) | SECONDS]!
    into.ticks = this.entries[(index << FIELDS) | TICKS]!
  }

  private before(a: number, b: number): boolean {
    const { entries } = this
    const atA = a << FIELDS
    const atB = b << FIELDS
    const keyA = entries[atA | KEY]!
    const keyB = entries[atB | KEY]!
    if (keyA !== keyB) return keyA < keyB
    const difference =
      entries[atA | SECONDS]! - entries[atB | SECONDS]! ||
      entries[atA | TICKS]! - entries[atB | TICKS]! ||
      entries[atA | ORDER]! - entries[atB | ORDER]! ||
      a - b
    return difference < 0
  }

  /** Puts `index` at heap position `at` or where it belongs above or below. */
  private settle(at: number, index: number): void {
    if (at > 0 && this.before(index, this.heap[(at - 1) >> 1]!)) this.siftUp(at, index)
    else this.siftDown(at, index)
  }

  private siftUp(from: number, index: number): void {
    const { heap, places } = this
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]!
      if (!this.before(index, above)) break
      heap[at] = above
      places[above] = at + 1
      at = parent
    }
    heap[at] = index
    places[index] = at + 1
  }

  private siftDown(from: number, index: number): void {
    const { heap, places, length } = this
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= length) break
      if (child + 1 < length && this.before(heap[child + 1]!, heap[child]!)) child++
      const below = heap[child]!
      if (!this.before(below, index)) break
      heap[at] = below
      places[below] = at + 1
      at = child
    }
    heap[at] = index
    places[index] = at + 1
  }
}

function into<A extends Float64Array | Int32Array>(larger: A, old: A): A {
  larger.set(old)
  return larger
}
