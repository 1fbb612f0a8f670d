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

/** Time, key and order of an index without an event: all events come before it, and it does not come before any time. */
const NO_EVENT = Number.POSITIVE_INFINITY

/**
 * At most one pending event for each index 0 .. n - 1 (the next event of each replica), in the order of (seconds, ticks,
 * order, index). A tournament on typed arrays: each match knows its winner, the final's is the first event, and a change
 * replays the matches from its index up to the final. An index alone has no match to play. Nothing is allocated per operation.
 *
 * Matches compare times rounded to one double, and look at the exact ones only when those are equal: rounding never swaps
 * two times.
 */
export class IndexedEventQueue {
  /** Indices there is room for, a power of two. */
  private leaves: number
  /** By match, the final at 1: the index that wins it. Index i stands at `leaves` + i. */
  private winners: Int32Array
  /** Who wins the final. */
  private champion = 0
  /** By index: its time rounded to a double, or NO_EVENT; and the entry. */
  private keys: Float64Array
  private entries: Float64Array

  constructor(indices: number) {
    this.leaves = leavesFor(indices)
    this.winners = seats(this.leaves)
    this.keys = new Float64Array(this.leaves).fill(NO_EVENT)
    this.entries = new Float64Array(this.leaves << ENTRY).fill(NO_EVENT)
  }

  /** Makes room for indices up to `indices` - 1, or somewhat more; events stay. */
  grow(indices: number): void {
    if (indices <= this.leaves) return
    const { keys, entries } = this
    this.leaves = leavesFor(indices)
    this.winners = seats(this.leaves)
    this.keys = new Float64Array(this.leaves).fill(NO_EVENT)
    this.keys.set(keys)
    this.entries = new Float64Array(this.leaves << ENTRY).fill(NO_EVENT)
    this.entries.set(entries)
    for (let index = 0; index < keys.length; index++) this.replay(index, keys[index]!)
  }

  /** Gives `index` its one event, in place of any it had. */
  set(index: number, time: Time, order: number): void {
    if (index >= this.leaves)
      throw new RangeError(`IndexedEventQueue: index ${index} is not in 0 .. ${this.leaves - 1}`)
    const { entries } = this
    const { seconds, ticks } = time
    const entry = index << ENTRY
    entries[entry | SECONDS] = seconds
    entries[entry | TICKS] = ticks
    entries[entry | ORDER] = order
    const key = seconds + ticks * SECONDS_PER_TICK
    this.keys[index] = key
    this.replay(index, key)
  }

  /** Takes the event of `index` away; false when it had none. */
  remove(index: number): boolean {
    if (!(this.keys[index]! < NO_EVENT)) return false
    this.keys[index] = NO_EVENT
    this.entries.fill(NO_EVENT, index << ENTRY, (index + 1) << ENTRY)
    this.replay(index, NO_EVENT)
    return true
  }

  /** The index whose event comes first. There must be one. */
  get first(): number {
    return this.champion
  }

  /** `order` of the event of `index`. It must have one. */
  orderOf(index: number): number {
    return this.entries[(index << ENTRY) | ORDER]!
  }

  /** Writes the time of the first event into `into` if there is one that comes before another at `time` with `order`. */
  peekBefore(time: Time, order: number, into: Time): boolean {
    const { entries } = this
    const entry = this.champion << ENTRY
    const seconds = entries[entry | SECONDS]!
    const ticks = entries[entry | TICKS]!
    if (!((seconds - time.seconds || ticks - time.ticks || entries[entry | ORDER]! - order) < 0)) return false
    into.seconds = seconds
    into.ticks = ticks
    return true
  }

  /** Whether an event of `index` at `time` with `order` would come before those of all others. */
  wouldBeFirst(index: number, time: Time, order: number): boolean {
    const { winners, keys } = this
    const { seconds, ticks } = time
    const key = seconds + ticks * SECONDS_PER_TICK
    for (let at = this.leaves | index; at > 1; at >>= 1) {
      const rival = winners[at ^ 1]!
      const rivalKey = keys[rival]!
      if (rivalKey > key) continue
      if (rivalKey < key || this.comesBefore(rival, seconds, ticks, order, index)) return false
    }
    return true
  }

  /** Plays the matches of `index` again, whose key has become `changed`. */
  private replay(index: number, changed: number): void {
    const { winners, keys } = this
    let winner = index
    let key = changed
    for (let at = this.leaves | index; at > 1; at >>= 1) {
      const rival = winners[at ^ 1]!
      const rivalKey = keys[rival]!
      if (rivalKey < key || (rivalKey === key && this.isBefore(rival, winner))) {
        // Where `index` loses as it did before, nothing changes above.
        if (winner === index && winners[at >> 1] !== index) return
        winner = rival
        key = rivalKey
      }
      winners[at >> 1] = winner
    }
    this.champion = winner
  }

  /** Whether the event of `a` comes before that of `b`, when their keys are equal. */
  private isBefore(a: number, b: number): boolean {
    const { entries } = this
    const entry = b << ENTRY
    return this.comesBefore(a, entries[entry | SECONDS]!, entries[entry | TICKS]!, entries[entry | ORDER]!, b)
  }

  /** Whether the event of `rival` comes before one of `index` at `seconds` and `ticks` with `order`. */
  private comesBefore(rival: number, seconds: number, ticks: number, order: number, index: number): boolean {
    const { entries } = this
    const entry = rival << ENTRY
    const difference =
      entries[entry | SECONDS]! - seconds ||
      entries[entry | TICKS]! - ticks ||
      entries[entry | ORDER]! - order ||
      rival - index
    return difference < 0
  }
}

const leavesFor = (indices: number): number => {
  let leaves = 1
  while (leaves < indices) leaves *= 2
  return leaves
}

/** The winners of a tournament in which nobody has an event: in each match the first index below it. */
const seats = (leaves: number): Int32Array => {
  const winners = new Int32Array(2 * leaves)
  for (let index = 0; index < leaves; index++) winners[leaves + index] = index
  for (let at = leaves - 1; at > 0; at--) winners[at] = winners[2 * at]!
  return winners
}
