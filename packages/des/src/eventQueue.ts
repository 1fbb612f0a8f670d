import type { Time } from './time.ts'
import { SECONDS_PER_TICK } from './time.ts'

/**
 * A queue of events in the order of (seconds, ticks, order): `order` is the written rank of a kind of event at one
 * instant, and events equal in all three leave in the order in which they entered. An event carries two integers, `kind`
 * and `subject`. A binary heap on typed arrays: nothing is allocated per event (the arrays double when full).
 *
 * The heap compares times rounded to one double, and looks at the exact ones only when those are equal: rounding never
 * swaps two times.
 */
export class EventQueue {
  private length = 0
  private entered = 0
  /** By heap position: rounded time and slot. */
  private keys: Float64Array
  private slots: Int32Array
  /** By slot. */
  private seconds: Float64Array
  private ticks: Float64Array
  private orders: Int32Array
  private sequence: Float64Array
  private kinds: Int32Array
  private subjects: Int32Array

  constructor(capacity = 64) {
    const size = Math.max(1, capacity)
    this.keys = new Float64Array(size)
    this.slots = Int32Array.from({ length: size }, (_, slot) => slot)
    this.seconds = new Float64Array(size)
    this.ticks = new Float64Array(size)
    this.orders = new Int32Array(size)
    this.sequence = new Float64Array(size)
    this.kinds = new Int32Array(size)
    this.subjects = new Int32Array(size)
  }

  get size(): number {
    return this.length
  }

  /** Adds an event at `seconds` and `ticks`; `order`, `kind` and `subject` are 32-bit integers. */
  push(seconds: number, ticks: number, order: number, kind: number, subject: number): void {
    if (this.length === this.slots.length) this.grow()
    const slot = this.slots[this.length]!
    this.seconds[slot] = seconds
    this.ticks[slot] = ticks
    this.orders[slot] = order
    this.sequence[slot] = this.entered++
    this.kinds[slot] = kind
    this.subjects[slot] = subject
    this.siftUp(this.length++, seconds + ticks * SECONDS_PER_TICK, slot)
  }

  /** Writes the time of the first event into `into`; false when the queue is empty. */
  peek(into: Time): boolean {
    if (this.length === 0) return false
    const slot = this.slots[0]!
    into.seconds = this.seconds[slot]!
    into.ticks = this.ticks[slot]!
    return true
  }

  /** `order` of the first event. The queue must not be empty, here and in `kind` and `subject`. */
  get order(): number {
    return this.orders[this.slots[0]!]!
  }

  get kind(): number {
    return this.kinds[this.slots[0]!]!
  }

  get subject(): number {
    return this.subjects[this.slots[0]!]!
  }

  /** Removes the first event (read it before). Throws on an empty queue. */
  pop(): void {
    if (this.length === 0) throw new RangeError('EventQueue: pop on an empty queue')
    const free = this.slots[0]!
    const last = --this.length
    const key = this.keys[last]!
    const slot = this.slots[last]!
    this.slots[last] = free
    if (last > 0) this.siftDown(key, slot)
  }

  clear(): void {
    this.length = 0
  }

  private before(keyA: number, a: number, keyB: number, b: number): boolean {
    if (keyA !== keyB) return keyA < keyB
    const difference =
      this.seconds[a]! - this.seconds[b]! ||
      this.ticks[a]! - this.ticks[b]! ||
      this.orders[a]! - this.orders[b]! ||
      this.sequence[a]! - this.sequence[b]!
    return difference < 0
  }

  private siftUp(from: number, key: number, slot: number): void {
    const { keys, slots } = this
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      const parentKey = keys[parent]!
      const parentSlot = slots[parent]!
      if (!this.before(key, slot, parentKey, parentSlot)) break
      keys[at] = parentKey
      slots[at] = parentSlot
      at = parent
    }
    keys[at] = key
    slots[at] = slot
  }

  private siftDown(key: number, slot: number): void {
    const { keys, slots, length } = this
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= length) break
      if (child + 1 < length && this.before(keys[child + 1]!, slots[child + 1]!, keys[child]!, slots[child]!)) child++
      if (!this.before(keys[child]!, slots[child]!, key, slot)) break
      keys[at] = keys[child]!
      slots[at] = slots[child]!
      at = child
    }
    keys[at] = key
    slots[at] = slot
  }

  private grow(): void {
    const size = 2 * this.slots.length
    const slots = Int32Array.from({ length: size }, (_, slot) => slot)
    slots.set(this.slots)
    this.slots = slots
    this.keys = grown(this.keys, new Float64Array(size))
    this.seconds = grown(this.seconds, new Float64Array(size))
    this.ticks = grown(this.ticks, new Float64Array(size))
    this.sequence = grown(this.sequence, new Float64Array(size))
    this.orders = grown(this.orders, new Int32Array(size))
    this.kinds = grown(this.kinds, new Int32Array(size))
    this.subjects = grown(this.subjects, new Int32Array(size))
  }
}

function grown<A extends Float64Array | Int32Array>(old: A, into: A): A {
  into.set(old)
  return into
}
