import { compareTime, type Time } from '@windtunnel/des'

/** Fields of a row in the buffer that are whole numbers below 2^31. */
export const FIELDS = 6
export const INPUT = 0
export const OUTPUT = 1
/** 0 when the row does not say. */
export const MAXIMUM = 2
export const PROMPT = 3
export const OUTPUT_NODE = 4
export const SESSION = 5

/** A queue of trace rows as plain numbers in a ring that grows: 40 bytes a row. */
export class RowBuffer {
  private seconds = new Float64Array(64)
  private ticks = new Float64Array(64)
  private fields = new Int32Array(64 * FIELDS)
  private head = 0
  private length = 0

  get size(): number {
    return this.length
  }

  /** Adds a row with `fields` in their order (INPUT, OUTPUT ...). */
  add(time: Time, fields: ArrayLike<number>): void {
    if (this.length === this.seconds.length) this.grow()
    const place = (this.head + this.length++) & (this.seconds.length - 1)
    this.seconds[place] = time.seconds
    this.ticks[place] = time.ticks
    for (let f = 0; f < FIELDS; f++) this.fields[place * FIELDS + f] = fields[f]!
  }

  /** Writes the fields of the first row into `into`, and removes it. */
  take(into: Int32Array): void {
    for (let f = 0; f < FIELDS; f++) into[f] = this.fields[this.head * FIELDS + f]!
    this.head = (this.head + 1) & (this.seconds.length - 1)
    this.length--
  }

  timeOfFirst(into: Time): Time {
    into.seconds = this.seconds[this.head]!
    into.ticks = this.ticks[this.head]!
    return into
  }

  timeOfLast(into: Time): Time {
    const last = (this.head + this.length - 1) & (this.seconds.length - 1)
    into.seconds = this.seconds[last]!
    into.ticks = this.ticks[last]!
    return into
  }

  /** Puts the rows in order of time; rows of one time keep their order. */
  sort(): void {
    const order = Array.from({ length: this.length }, (_, i) => (this.head + i) & (this.seconds.length - 1))
    const a = { seconds: 0, ticks: 0 }
    const b = { seconds: 0, ticks: 0 }
    const at = (place: number, into: Time): Time => {
      into.seconds = this.seconds[place]!
      into.ticks = this.ticks[place]!
      return into
    }
    order.sort((p, q) => compareTime(at(p, a), at(q, b)))
    this.arrange(order, this.seconds.length)
  }

  private grow(): void {
    const order = Array.from({ length: this.length }, (_, i) => (this.head + i) & (this.seconds.length - 1))
    this.arrange(order, 2 * this.seconds.length)
  }

  /** Lays the rows at the places `order` out from 0, in arrays of `size`. */
  private arrange(order: readonly number[], size: number): void {
    const seconds = new Float64Array(size)
    const ticks = new Float64Array(size)
    const fields = new Int32Array(size * FIELDS)
    order.forEach((place, i) => {
      seconds[i] = this.seconds[place]!
      ticks[i] = this.ticks[place]!
      for (let f = 0; f < FIELDS; f++) fields[i * FIELDS + f] = this.fields[place * FIELDS + f]!
    })
    this.seconds = seconds
    this.ticks = ticks
    this.fields = fields
    this.head = 0
  }
}
