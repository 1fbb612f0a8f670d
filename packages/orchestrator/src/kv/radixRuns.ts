import type { CacheHolders } from './cacheHolders.ts'

const NONE = -1

/**
 * The runs of a radix tree as columns: a run is the text of one prompt-tree node (or the text that one request has for
 * itself) as far as it is cached, in pages. Only runs that hold pages have a row, and a run's ancestors are cached whole.
 */
export class RadixRuns {
  /** Prompt-tree node; NONE for a request's own text. */
  node = new Int32Array(64)
  /** Row of the run before it, NONE at the root. */
  parent = new Int32Array(64)
  /** Index of its first page on the path from the root, and how many of its pages are cached. */
  firstPage = new Int32Array(64)
  pages = new Int32Array(64)
  /** Its leading pages that others may see, and see after a delay (RadixVisibility). */
  visible = new Int32Array(64)
  seen = new Int32Array(64)
  /** Requests whose path goes through it: a locked run is never evicted. */
  locks = new Int32Array(64)
  /** Runs that come right after it. */
  children = new Int32Array(64)
  /** When it was last looked up or written, as a count of such events. */
  stamp = new Float64Array(64)
  /** Request slot whose own text it is, NONE for shared text and once the request is gone. */
  owner = new Int32Array(64)
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

  find(node: number): number {
    return this.rowOf.get(node) ?? NONE
  }

  /** Opens a run without pages; `node` NONE for text of `owner` alone. */
  open(node: number, parent: number, firstPage: number, owner: number): number {
    const row = this.recycled.pop() ?? this.used++
    if (row === this.node.length) this.grow()
    this.node[row] = node
    this.parent[row] = parent
    this.firstPage[row] = firstPage
    this.pages[row] = 0
    this.visible[row] = 0
    this.seen[row] = 0
    this.locks[row] = 0
    this.children[row] = 0
    this.stamp[row] = 0
    this.owner[row] = owner
    if (parent !== NONE) this.children[parent]! += 1
    if (node !== NONE) {
      this.rowOf.set(node, row)
      this.holders?.add(node, this.replica)
    }
    return row
  }

  /** Drops a run without children. */
  close(row: number): void {
    const parent = this.parent[row]!
    if (parent !== NONE) this.children[parent]! -= 1
    const node = this.node[row]!
    if (node !== NONE) {
      this.rowOf.delete(node)
      this.holders?.remove(node, this.replica)
    }
    this.pages[row] = 0
    this.recycled.push(row)
  }

  private grow(): void {
    const columns = this as unknown as Record<string, Int32Array | Float64Array>
    const size = this.node.length * 2
    for (const name of COLUMNS) {
      const old = columns[name]!
      const grown = name === 'stamp' ? new Float64Array(size) : new Int32Array(size)
      grown.set(old)
      columns[name] = grown
    }
  }
}

const COLUMNS = [
  'parent',
  'firstPage',
  'pages',
  'visible',
  'seen',
  'locks',
  'children',
  'stamp',
  'owner',
  'node',
] as const
