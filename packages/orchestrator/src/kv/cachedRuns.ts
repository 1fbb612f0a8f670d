import type { CacheHolders } from './cacheHolders.ts'

const NONE = -1

/** Tree node of the row. */
export const NODE = 0
/** Row of the parent node, NONE at the root. */
export const PARENT = 1
/** Blocks that belong to the node, */
export const BLOCKS = 2
/** and index of the first of them on the path from the root. */
export const FIRST_BLOCK = 3
/** Its leading blocks that are cached; all of them before anything deeper is. */
export const CACHED = 4
/** Its leading blocks that others may see, */
export const VISIBLE = 5
/** will see when the step in flight ends, */
export const SOON = 6
/** and see after a delay (Visibility). */
export const SEEN = 7
/** Its leading blocks that a running request holds (<= cached). */
export const HELD = 8
/** Requests that hold all of it and end here, and children with holders. */
export const FULL = 9
/** First of the requests that hold part of it (linked through the request table). */
export const PARTIAL = 10
/** Newest entry in the free queue. */
export const QUEUED = 11
/** Children that have a row, so that a row is kept while a child needs it. */
export const CHILDREN = 12
/** Blocks after the cached ones that are on the host, */
export const HOSTED = 13
/** and their newest entry in its order. */
export const HOST_QUEUED = 14

/** Cells of a row: a power of two, so that a row is one line of the processor's cache. */
const CELLS = 16

/**
 * State of the prompt-tree nodes that a replica caches or holds. Only nodes with cached blocks or holders have a row: the
 * cells of row `row` are `cells[row + NODE]`, `cells[row + PARENT]` and so on.
 */
export class CachedRuns {
  cells = new Int32Array(CELLS * 8)
  private rowOf = new Map<number, number>()
  private recycled: number[] = []
  private used = 0
  private holders: CacheHolders | undefined
  private replica = 0

  /** Reports every node that has a row, now and from now on. */
  tellHolders(holders: CacheHolders, replica: number): void {
    this.holders = holders
    this.replica = replica
    for (const node of this.rowOf.keys()) holders.add(node, replica)
  }

  get rows(): number {
    return this.rowOf.size
  }

  find(node: number): number {
    return this.rowOf.get(node) ?? NONE
  }

  open(node: number, parentRow: number, firstBlock: number, blocks: number): number {
    const row = this.recycled.pop() ?? CELLS * this.used++
    if (row === this.cells.length) this.grow()
    const { cells } = this
    cells[row + NODE] = node
    cells[row + PARENT] = parentRow
    cells[row + BLOCKS] = blocks
    cells[row + FIRST_BLOCK] = firstBlock
    cells[row + CACHED] = 0
    cells[row + VISIBLE] = 0
    cells[row + SOON] = 0
    cells[row + SEEN] = 0
    cells[row + HELD] = 0
    cells[row + FULL] = 0
    cells[row + PARTIAL] = NONE
    cells[row + QUEUED] = NONE
    cells[row + HOSTED] = 0
    cells[row + HOST_QUEUED] = NONE
    cells[row + CHILDREN] = 0
    if (parentRow !== NONE) cells[parentRow + CHILDREN]! += 1
    this.rowOf.set(node, row)
    this.holders?.add(node, this.replica)
    return row
  }

  forEachRow(visit: (cells: Int32Array, row: number) => void): void {
    for (const row of this.rowOf.values()) visit(this.cells, row)
  }

  /** Drops the row, and its ancestors' rows, while nothing needs them. */
  closeIfIdle(row: number): void {
    const { cells } = this
    let at = row
    while (
      at !== NONE &&
      cells[at + CACHED] === 0 &&
      cells[at + HOSTED] === 0 &&
      cells[at + FULL] === 0 &&
      cells[at + PARTIAL] === NONE &&
      cells[at + CHILDREN] === 0
    ) {
      const parent = cells[at + PARENT]!
      this.rowOf.delete(cells[at + NODE]!)
      this.holders?.remove(cells[at + NODE]!, this.replica)
      this.recycled.push(at)
      if (parent !== NONE) cells[parent + CHILDREN]! -= 1
      at = parent
    }
  }

  private grow(): void {
    const grown = new Int32Array(this.cells.length * 2)
    grown.set(this.cells)
    this.cells = grown
  }
}
