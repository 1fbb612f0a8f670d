import { NO_SLOT, type RequestTable } from '../requests.ts'

/** Requests that wait for an engine. The head is the next to be admitted. */
export interface WaitingQueue {
  readonly length: number
  head(): number
  push(slot: number): void
  /** A preempted request comes back: to the front in arrival order, to its rank in a ranked queue. */
  pushBack(slot: number): void
  remove(slot: number): void
  /** Set where the head can be another one at every look. Such a queue wants to know who runs. */
  readonly dynamic?: boolean
  admitted?(slot: number): void
  left?(slot: number): void
}

/** In order of arrival, as a linked list through the table: every operation costs O(1). */
export class FifoQueue implements WaitingQueue {
  length = 0
  private table: RequestTable
  private first = NO_SLOT
  private last = NO_SLOT

  constructor(table: RequestTable) {
    this.table = table
  }

  head(): number {
    return this.first
  }

  push(slot: number): void {
    const table = this.table
    table.queueNext[slot] = NO_SLOT
    table.queuePrevious[slot] = this.last
    if (this.last === NO_SLOT) this.first = slot
    else table.queueNext[this.last] = slot
    this.last = slot
    this.length += 1
  }

  pushBack(slot: number): void {
    const table = this.table
    table.queuePrevious[slot] = NO_SLOT
    table.queueNext[slot] = this.first
    if (this.first === NO_SLOT) this.last = slot
    else table.queuePrevious[this.first] = slot
    this.first = slot
    this.length += 1
  }

  remove(slot: number): void {
    const table = this.table
    const next = table.queueNext[slot]!
    const previous = table.queuePrevious[slot]!
    if (previous === NO_SLOT) this.first = next
    else table.queueNext[previous] = next
    if (next === NO_SLOT) this.last = previous
    else table.queuePrevious[next] = previous
    this.length -= 1
  }
}

/** In order of rank, then of arrival: a binary heap whose positions are kept in the table. */
export class RankedQueue implements WaitingQueue {
  private table: RequestTable
  private rank: Float64Array = new Float64Array(0)
  private rankOf: (slot: number) => number
  private heap: number[] = []

  constructor(table: RequestTable, rankOf: (slot: number) => number) {
    this.table = table
    this.rankOf = rankOf
  }

  get length(): number {
    return this.heap.length
  }

  head(): number {
    return this.heap[0] ?? NO_SLOT
  }

  push(slot: number): void {
    if (slot >= this.rank.length) {
      const grown = new Float64Array(this.table.capacity)
      grown.set(this.rank)
      this.rank = grown
    }
    this.rank[slot] = this.rankOf(slot)
    this.heap.push(slot)
    this.up(this.heap.length - 1)
  }

  pushBack(slot: number): void {
    this.push(slot)
  }

  remove(slot: number): void {
    const at = this.table.queueNext[slot]!
    const last = this.heap.pop()!
    if (last === slot) return
    this.place(last, at)
    this.up(at)
    this.down(this.table.queueNext[last]!)
  }

  private before(a: number, b: number): boolean {
    const rankA = this.rank[a]!
    const rankB = this.rank[b]!
    // Compared, not subtracted: a rank can be infinite.
    return rankA !== rankB ? rankA < rankB : this.table.id[a]! < this.table.id[b]!
  }

  private place(slot: number, at: number): void {
    this.heap[at] = slot
    this.table.queueNext[slot] = at
  }

  private up(from: number): void {
    let at = from
    const slot = this.heap[at]!
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.before(slot, this.heap[above]!)) break
      this.place(this.heap[above]!, at)
      at = above
    }
    this.place(slot, at)
  }

  private down(from: number): void {
    let at = from
    const slot = this.heap[at]!
    for (;;) {
      let below = at * 2 + 1
      if (below >= this.heap.length) break
      if (below + 1 < this.heap.length && this.before(this.heap[below + 1]!, this.heap[below]!)) below += 1
      if (!this.before(this.heap[below]!, slot)) break
      this.place(this.heap[below]!, at)
      at = below
    }
    this.place(slot, at)
  }
}
