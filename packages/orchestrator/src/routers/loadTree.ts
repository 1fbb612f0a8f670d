/** Loads of candidates 0 .. count - 1 as a tournament: the least is known at once, and a change costs O(log count). */
export class LoadTree {
  readonly count: number
  /** Load of each candidate. */
  readonly loads: Float64Array
  total = 0
  /** Winner of each match, the root at 1; candidates stand at `#leaves + candidate`. */
  private readonly winners: Int32Array
  private readonly leaves: number
  /** Subtrees not yet given out by `next`. */
  private readonly open: number[] = []

  constructor(count: number) {
    this.count = count
    let leaves = 1
    while (leaves < count) leaves *= 2
    this.leaves = leaves
    this.loads = new Float64Array(leaves).fill(Number.POSITIVE_INFINITY)
    this.loads.fill(0, 0, count)
    this.winners = new Int32Array(2 * leaves)
    for (let i = 0; i < leaves; i++) this.winners[leaves + i] = i
    for (let at = leaves - 1; at > 0; at--) this.winners[at] = this.winners[2 * at]!
  }

  set(candidate: number, load: number): void {
    if (load === this.loads[candidate]) return
    this.total += load - this.loads[candidate]!
    this.loads[candidate] = load
    for (let at = (this.leaves + candidate) >> 1; at > 0; at >>= 1) {
      const left = this.winners[2 * at]!
      const right = this.winners[2 * at + 1]!
      const winner = this.loads[right]! < this.loads[left]! ? right : left
      // A match that others than the candidate won before and win now: nothing changes above.
      if (winner === this.winners[at] && winner !== candidate) return
      this.winners[at] = winner
    }
  }

  /** The candidate with the least load; the first of equals. */
  get least(): number {
    return this.winners[1]!
  }

  /** Whether `a` comes before `b` in order of load, then of number. */
  isBefore(a: number, b: number): boolean {
    const difference = this.loads[a]! - this.loads[b]!
    return difference < 0 || (difference === 0 && a < b)
  }

  /** Begins to give candidates out by `next`. No load may change before the last of them is taken. */
  restart(): void {
    this.open.length = 1
    this.open[0] = 1
  }

  /** The next candidate in order of load, then of number; -1 when all have been given. */
  next(): number {
    const open = this.open
    if (open.length === 0) return -1
    let best = 0
    for (let i = 1; i < open.length; i++) {
      const here = this.winners[open[i]!]!
      const least = this.winners[open[best]!]!
      if (this.isBefore(here, least)) best = i
    }
    let at = open[best]!
    const winner = this.winners[at]!
    open[best] = open[open.length - 1]!
    open.pop()
    if (winner >= this.count) return -1
    while (at < this.leaves) {
      const left = 2 * at
      const onLeft = this.winners[left] === winner
      open.push(onLeft ? left + 1 : left)
      at = onLeft ? left : left + 1
    }
    return winner
  }
}
