/** Queue entries that hold blocks nobody can find by content. */
export const ANONYMOUS = -1
const NONE = -1

/**
 * The free KV blocks of a replica, least recently freed first, as runs: an entry is some blocks at the tail of one cached
 * node, or anonymous blocks. Entries of one node form a list of their own, oldest (deepest blocks) first, so that a hit can
 * take the shallowest ones out and an eviction the deepest, both in O(1) per entry.
 */
export class FreeQueue {
  /** Free blocks in all entries. */
  blocks = 0
  owner = new Int32Array(64)
  count = new Int32Array(64)
  #next = new Int32Array(64)
  #previous = new Int32Array(64)
  /** Within one owner: towards newer entries, towards older ones. */
  #newer = new Int32Array(64)
  #older = new Int32Array(64)
  #head = NONE
  #tail = NONE
  #recycled = NONE
  #used = 0

  constructor(blocks: number) {
    if (blocks > 0) this.pushAnonymous(blocks)
  }

  /** Oldest entry, NONE (-1) when nothing is free. */
  get head(): number {
    return this.#head
  }

  pushAnonymous(blocks: number): void {
    this.blocks += blocks
    const tail = this.#tail
    if (tail !== NONE && this.owner[tail] === ANONYMOUS) this.count[tail]! += blocks
    else this.#append(ANONYMOUS, blocks)
  }

  /** Adds `blocks` freed blocks of `owner`; `newest` is its newest entry so far. Returns the new newest entry. */
  push(owner: number, blocks: number, newest: number): number {
    this.blocks += blocks
    if (newest !== NONE && newest === this.#tail) {
      this.count[newest]! += blocks
      return newest
    }
    const entry = this.#append(owner, blocks)
    this.#older[entry] = newest
    this.#newer[entry] = NONE
    if (newest !== NONE) this.#newer[newest] = entry
    return entry
  }

  /** Takes `blocks` out of an owner's entries, newest first. Returns its newest entry afterwards. */
  withdraw(blocks: number, newest: number): number {
    this.blocks -= blocks
    let entry = newest
    let left = blocks
    while (left > 0) {
      const here = this.count[entry]!
      if (here > left) {
        this.count[entry] = here - left
        return entry
      }
      left -= here
      const older = this.#older[entry]!
      if (older !== NONE) this.#newer[older] = NONE
      this.#unlink(entry)
      entry = older
    }
    return entry
  }

  /** Takes `blocks` when the oldest entry has more than so many that nobody can find; else nothing. */
  takeAnonymous(blocks: number): boolean {
    const head = this.#head
    if (head === NONE || this.owner[head] !== ANONYMOUS) return false
    const left = this.count[head]! - blocks
    if (left <= 0) return false
    this.count[head] = left
    this.blocks -= blocks
    return true
  }

  /** Takes up to `blocks` from the oldest entry; returns how many. The owner's next newer entry is in `newerOf` before. */
  takeFromHead(blocks: number): number {
    const entry = this.#head
    const here = this.count[entry]!
    const taken = Math.min(here, blocks)
    this.blocks -= taken
    if (taken < here) {
      this.count[entry] = here - taken
      return taken
    }
    if (this.owner[entry] !== ANONYMOUS) {
      const newer = this.#newer[entry]!
      if (newer !== NONE) this.#older[newer] = NONE
    }
    this.#unlink(entry)
    return taken
  }

  #append(owner: number, blocks: number): number {
    let entry = this.#recycled
    if (entry !== NONE) this.#recycled = this.#next[entry]!
    else {
      entry = this.#used++
      if (entry === this.owner.length) this.#grow()
    }
    this.owner[entry] = owner
    this.count[entry] = blocks
    this.#next[entry] = NONE
    this.#previous[entry] = this.#tail
    if (this.#tail === NONE) this.#head = entry
    else this.#next[this.#tail] = entry
    this.#tail = entry
    return entry
  }

  #unlink(entry: number): void {
    const next = this.#next[entry]!
    const previous = this.#previous[entry]!
    if (previous === NONE) this.#head = next
    else this.#next[previous] = next
    if (next === NONE) this.#tail = previous
    else this.#previous[next] = previous
    this.#next[entry] = this.#recycled
    this.#recycled = entry
  }

  #grow(): void {
    const size = this.owner.length * 2
    const larger = (old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(size)
      grown.set(old)
      return grown
    }
    this.owner = larger(this.owner)
    this.count = larger(this.count)
    this.#next = larger(this.#next)
    this.#previous = larger(this.#previous)
    this.#newer = larger(this.#newer)
    this.#older = larger(this.#older)
  }
}
