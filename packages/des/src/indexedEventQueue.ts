import type { Time } from './time.ts'
import { SECONDS_PER_TICK } from './time.ts'

/**
 * At most one pending event for each index 0 .. n - 1 (the next event of each replica), in the order of (seconds, ticks,
 * order, index). `set` moves an entry wherever it was. A binary heap on typed arrays that knows where each index is;
 * nothing is allocated per operation.
 */
export class IndexedEventQueue {
  private length = 0
  private heap: Int32Array
  /** By index: position in the heap plus one, 0 when it has no event; and the entry. */
  private places: Int32Array
  private keys: Float64Array
  private seconds: Float64Array
  private ticks: Float64Array
  private orders: Int32Array

  constructor(indices: number) {
    this.heap = new Int32Array(indices)
    this.places = new Int32Array(indices)
    this.keys = new Float64Array(indices)
    this.seconds = new Float64Array(indices)
    this.ticks = new Float64Array(indices)
    this.orders = new Int32Array(indices)
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
    this.keys = into(new Float64Array(indices), this.keys)
    this.seconds = into(new Float64Array(indices), this.seconds)
    this.ticks = into(new Float64Array(indices), this.ticks)
    this.orders = into(new Int32Array(indices), this.orders)
  }

  has(index: number): boolean {
    return this.places[index]! > 0
  }

  /** Gives `index` its one event, in place of any it had. */
  set(index: number, seconds: number, ticks: number, order: number): void {
    if (!(index >= 0 && index < this.indices)) {
      throw new RangeError(`IndexedEventQueue: index ${index} is not in 0 .. ${this.indices - 1}`)
    }
    this.seconds[index] = seconds
    this.ticks[index] = ticks
    this.orders[index] = order
    this.keys[index] = seconds + ticks * SECONDS_PER_TICK
    const place = this.places[index]!
    if (place === 0) this.siftUp(this.length++, index)
    else this.settle(place - 1, index)
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
    return this.length > 0 && this.timeOf(this.heap[0]!, into)
  }

  /** Writes the time of the event of `index` into `into`; false when it has none. */
  timeOf(index: number, into: Time): boolean {
    if (!this.has(index)) return false
    into.seconds = this.seconds[index]!
    into.ticks = this.ticks[index]!
    return true
  }

  orderOf(index: number): number {
    return this.orders[index]!
  }

  private before(a: number, b: number): boolean {
    const keyA = this.keys[a]!
    const keyB = this.keys[b]!
    if (keyA !== keyB) return keyA < keyB
    const difference =
      this.seconds[a]! - this.seconds[b]! ||
      this.ticks[a]! - this.ticks[b]! ||
      this.orders[a]! - this.orders[b]! ||
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
