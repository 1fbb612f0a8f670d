/** Queue entries that hold blocks nobody can find by content. */
export const ANONYMOUS = -1
const NONE = -1

/** Cells of an entry: whose blocks, how many; the entries after and before it; of the same owner the newer and the older one. */
const OWNER = 0
const COUNT = 1
const NEXT = 2
const PREVIOUS = 3
const NEWER = 4
const OLDER = 5
const CELLS = 8

/**
 * The free KV blocks of a replica, least recently freed first, as runs: an entry is some blocks at the tail of one cached
 * node, or anonymous blocks. Entries of one node form a list of their own, oldest (deepest blocks) first, so that a hit can
 * take the shallowest ones out and an eviction the deepest, both in O(1) per entry.
 */
export class FreeQueue {
  /** Free blocks in all entries. */
  blocks = 0
  private cells = new Int32Array(CELLS * 8)
  private head = NONE
  private tail = NONE
  private recycled = NONE
  private used = 0

  constructor(blocks: number) {
    if (blocks > 0) this.pushAnonymous(blocks)
  }

  /** Whose blocks the oldest entry holds; there is one. */
  get headOwner(): number {
    return this.cells[this.head + OWNER]!
  }

  pushAnonymous(blocks: number): void {
    this.blocks += blocks
    const tail = this.tail
    if (tail !== NONE && this.cells[tail + OWNER] === ANONYMOUS) this.cells[tail + COUNT]! += blocks
    else this.append(ANONYMOUS, blocks)
  }

  /** Adds `blocks` freed blocks of `owner`; `newest` is its newest entry so far. Returns the new newest entry. */
  push(owner: number, blocks: number, newest: number): number {
    this.blocks += blocks
    if (newest !== NONE && newest === this.tail) {
      this.cells[newest + COUNT]! += blocks
      return newest
    }
    const entry = this.append(owner, blocks)
    this.cells[entry + OLDER] = newest
    this.cells[entry + NEWER] = NONE
    if (newest !== NONE) this.cells[newest + NEWER] = entry
    return entry
  }

  /** Takes `blocks` out of an owner's entries, newest first. Returns its newest entry afterwards. */
  withdraw(blocks: number, newest: number): number {
    this.blocks -= blocks
    let entry = newest
    let left = blocks
    while (left > 0) {
      const here = this.cells[entry + COUNT]!
      if (here > left) {
        this.cells[entry + COUNT] = here - left
        return entry
      }
      left -= here
      const older = this.cells[entry + OLDER]!
      if (older !== NONE) this.cells[older + NEWER] = NONE
      this.unlink(entry)
      entry = older
    }
    return entry
  }

  /** Takes `blocks` when the oldest entry has more than so many that nobody can find; else nothing. */
  takeAnonymous(blocks: number): boolean {
    const head = this.head
    if (head === NONE || this.cells[head + OWNER] !== ANONYMOUS) return false
    const left = this.cells[head + COUNT]! - blocks
    if (left <= 0) return false
    this.cells[head + COUNT] = left
    this.blocks -= blocks
    return true
  }

  /** Takes up to `blocks` from the oldest entry; returns how many. Its owner is `headOwner` before. */
  takeFromHead(blocks: number): number {
    const entry = this.head
    const here = this.cells[entry + COUNT]!
    const taken = Math.min(here, blocks)
    this.blocks -= taken
    if (taken < here) {
      this.cells[entry + COUNT] = here - taken
      return taken
    }
    if (this.cells[entry + OWNER] !== ANONYMOUS) {
      const newer = this.cells[entry + NEWER]!
      if (newer !== NONE) this.cells[newer + OLDER] = NONE
    }
    this.unlink(entry)
    return taken
  }

  private append(owner: number, blocks: number): number {
    let entry = this.recycled
    if (entry !== NONE) this.recycled = this.cells[entry + NEXT]!
    else {
      entry = CELLS * this.used++
      if (entry === this.cells.length) this.grow()
    }
    this.cells[entry + OWNER] = owner
    this.cells[entry + COUNT] = blocks
    this.cells[entry + NEXT] = NONE
    this.cells[entry + PREVIOUS] = this.tail
    if (this.tail === NONE) this.head = entry
    else this.cells[this.tail + NEXT] = entry
    this.tail = entry
    return entry
  }

  private unlink(entry: number): void {
    const next = this.cells[entry + NEXT]!
    const previous = this.cells[entry + PREVIOUS]!
    if (previous === NONE) this.head = next
    else this.cells[previous + NEXT] = next
    if (next === NONE) this.tail = previous
    else this.cells[next + PREVIOUS] = previous
    this.cells[entry + NEXT] = this.recycled
    this.recycled = entry
  }

  private grow(): void {
    const grown = new Int32Array(this.cells.length * 2)
    grown.set(this.cells)
    this.cells = grown
  }
}
