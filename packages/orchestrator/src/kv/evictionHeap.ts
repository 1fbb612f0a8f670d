/** Rows in order of a number, smallest first: a binary heap in which a row stands at most once. */
export class EvictionHeap {
  private rows: number[] = []
  private keys: number[] = []
  private inside = new Set<number>()

  /** Files `row` under `key`; does nothing when it is in already, under whatever key. */
  push(row: number, key: number): void {
    if (this.inside.has(row)) return
    this.inside.add(row)
    this.rows.push(row)
    this.keys.push(key)
    this.up(this.rows.length - 1)
  }

  get size(): number {
    return this.rows.length
  }

  /** Smallest key; the heap is not empty. */
  get firstKey(): number {
    return this.keys[0]!
  }

  /** Takes out the row with the smallest key. */
  pop(): number {
    const first = this.rows[0]!
    this.inside.delete(first)
    const row = this.rows.pop()!
    const key = this.keys.pop()!
    if (this.rows.length > 0) {
      this.rows[0] = row
      this.keys[0] = key
      this.down(0)
    }
    return first
  }

  private up(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1
      if (this.keys[above]! <= this.keys[at]!) return
      this.swap(at, above)
      at = above
    }
  }

  private down(from: number): void {
    for (let at = from; ; ) {
      let below = at * 2 + 1
      if (below >= this.rows.length) return
      if (below + 1 < this.rows.length && this.keys[below + 1]! < this.keys[below]!) below += 1
      if (this.keys[at]! <= this.keys[below]!) return
      this.swap(at, below)
      at = below
    }
  }

  private swap(a: number, b: number): void {
    const row = this.rows[a]!
    const key = this.keys[a]!
    this.rows[a] = this.rows[b]!
    this.keys[a] = this.keys[b]!
    this.rows[b] = row
    this.keys[b] = key
  }
}
