import type { Time } from './time.ts'
import { SECONDS_PER_TICK } from './time.ts'

/**
 * The exact time of an event and its order stand next to each other: those of an index begin at `index << ENTRY`. (Shifts and
 * bits, because sums and products would be checked for overflow.)
 */
const ENTRY = 2
const SECONDS = 0
const TICKS = 1
const ORDER = 2

/** A place of the heap has 2^2 children: it is half as high as with two, and the keys of children stand next to each other. */
const BRANCHING = 2

/**
 * At most one pending event for each index 0 .. n - 1 (the next event of each replica), in the order of (seconds, ticks,
 * order, index). `set` moves an entry wherever it was. A heap on typed arrays that knows where each index is; nothing is
 * allocated per operation.
 *
 * The heap compares times rounded to one double, and looks at the exact ones only when those are equal: rounding never
 * swaps two times.
 */
export class IndexedEventQueue {
  private length = 0
  /** By place in the heap: the index, and its time rounded to a double. */
  private heap: Int32Array
  private keys: Float64Array
  /** By index: its place in the heap plus one, 0 when it has no event; and the entry. */
  private places: Int32Array
  private entries: Float64Array

  constructor(indices: number) {
    this.heap = new Int32Array(indices)
    this.keys = new Float64Array(indices)
    this.places = new Int32Array(indices)
    this.entries = new Float64Array(indices << ENTRY)
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
    this.keys = into(new Float64Array(indices), this.keys)
    this.places = into(new Int32Array(indices), this.places)
    this.entries = into(new Float64Array(indices << ENTRY), this.entries)
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
    const entry = index << ENTRY
    entries[entry | SECONDS] = seconds
    entries[entry | TICKS] = ticks
    entries[entry | ORDER] = order
    const key = seconds + ticks * SECONDS_PER_TICK
    if (place === 0) this.siftUp(this.length++, key, index)
    else if (this.length > 1) this.settle(place - 1, key, index)
    else this.keys[0] = key
  }

  /** Takes the event of `index` away; false when it had none. */
  remove(index: number): boolean {
    const place = this.places[index]!
    if (!(place > 0)) return false
    this.places[index] = 0
    const last = --this.length
    if (place - 1 !== last) this.settle(place - 1, this.keys[last]!, this.heap[last]!)
    return true
  }

  /** The index whose event comes first. The queue must not be empty. */
  get first(): number {
    return this.heap[0]!
  }

  /** The index whose event comes second; undefined when there is at most one. */
  get second(): number | undefined {
    return this.length < 2 ? undefined : this.heap[this.leastChild(0)]!
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
    return this.entries[(index << ENTRY) | ORDER]!
  }

  /** Writes the time of the first event into `into` if there is one that comes before another at `time` with `order`. */
  peekBefore(time: Time, order: number, into: Time): boolean {
    if (this.length === 0) return false
    const { entries } = this
    const entry = this.heap[0]! << ENTRY
    const seconds = entries[entry | SECONDS]!
    const ticks = entries[entry | TICKS]!
    if ((seconds - time.seconds || ticks - time.ticks || entries[entry | ORDER]! - order) >= 0) return false
    into.seconds = seconds
    into.ticks = ticks
    return true
  }

  private readTime(index: number, into: Time): void {
    into.seconds = this.entries[(index << ENTRY) | SECONDS]!
    into.ticks = this.entries[(index << ENTRY) | TICKS]!
  }

  /** Whether the event of `a` comes before that of `b`, when their keys are equal. */
  private isBefore(a: number, b: number): boolean {
    const { entries } = this
    const atA = a << ENTRY
    const atB = b << ENTRY
    const difference =
      entries[atA | SECONDS]! - entries[atB | SECONDS]! ||
      entries[atA | TICKS]! - entries[atB | TICKS]! ||
      entries[atA | ORDER]! - entries[atB | ORDER]! ||
      a - b
    return difference < 0
  }

  /** Puts `index` at heap place `at` or where it belongs above or below. */
  private settle(at: number, key: number, index: number): void {
    const parent = (at - 1) >> BRANCHING
    if (at > 0 && this.comesBefore(key, index, parent)) this.siftUp(at, key, index)
    else this.siftDown(at, key, index)
  }

  /** Whether an event comes before the one at heap place `at`. */
  private comesBefore(key: number, index: number, at: number): boolean {
    const there = this.keys[at]!
    return key < there || (key === there && this.isBefore(index, this.heap[at]!))
  }

  private siftUp(from: number, key: number, index: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> BRANCHING
      if (!this.comesBefore(key, index, parent)) break
      this.put(at, this.keys[parent]!, this.heap[parent]!)
      at = parent
    }
    this.put(at, key, index)
  }

  private siftDown(from: number, key: number, index: number): void {
    let at = from
    while (((at << BRANCHING) | 1) < this.length) {
      const child = this.leastChild(at)
      if (this.comesBefore(key, index, child)) break
      this.put(at, this.keys[child]!, this.heap[child]!)
      at = child
    }
    this.put(at, key, index)
  }

  /** The place among the children of place `at` whose event comes first. It must have some. */
  private leastChild(at: number): number {
    const { keys, heap } = this
    let first = (at << BRANCHING) | 1
    let firstKey = keys[first]!
    const end = Math.min(this.length, first + (1 << BRANCHING))
    for (let child = first + 1; child < end; child++) {
      const key = keys[child]!
      if (key > firstKey || (key === firstKey && !this.isBefore(heap[child]!, heap[first]!))) continue
      first = child
      firstKey = key
    }
    return first
  }

  private put(at: number, key: number, index: number): void {
    this.heap[at] = index
    this.keys[at] = key
    this.places[index] = at + 1
  }
}

function into<A extends Float64Array | Int32Array>(larger: A, old: A): A {
  larger.set(old)
  return larger
}
