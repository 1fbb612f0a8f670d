import type { CacheHolders } from './cacheHolders.ts'

const NONE = -1

/**
 * State of the prompt-tree nodes that a replica caches or holds, as columns indexed by a small number. Only nodes with
 * cached blocks or holders have a row.
 */
export class CachedRuns {
  /** Tree node of the row. */
  node = new Int32Array(64)
  /** Row of the parent node, NONE at the root. */
  parent = new Int32Array(64)
  /** Blocks that belong to the node, and index of the first of them on the path from the root. */
  blocks = new Int32Array(64)
  firstBlock = new Int32Array(64)
  /** Its leading blocks that are cached; all of them before anything deeper is. */
  cached = new Int32Array(64)
  /** Its leading blocks that others may see, will see when the step in flight ends, and see after a delay (Visibility). */
  visible = new Int32Array(64)
  soon = new Int32Array(64)
  seen = new Int32Array(64)
  /** Its leading blocks that a running request holds (<= cached). */
  held = new Int32Array(64)
  /** Requests that hold all of it and end here, and children with holders. */
  full = new Int32Array(64)
  /** First of the requests that hold part of it (linked through the request table). */
  partial = new Int32Array(64)
  /** Newest entry in the free queue. */
  queued = new Int32Array(64)
  /** Children that have a row, so that a row is kept while a child needs it. */
  children = new Int32Array(64)
  /** Blocks after the cached ones that are on the host, and their newest entry in its order. */
  hosted = new Int32Array(64)
  hostQueued = new Int32Array(64)
  #rowOf = new Map<number, number>()
  #recycled: number[] = []
  #used = 0
  #holders: CacheHolders | undefined
  #replica = 0

  /** Reports every node that has a row, now and from now on. */
  tellHolders(holders: CacheHolders, replica: number): void {
    this.#holders = holders
    this.#replica = replica
    for (const node of this.#rowOf.keys()) holders.add(node, replica)
  }

  get rows(): number {
    return this.#rowOf.size
  }

  find(node: number): number {
    return this.#rowOf.get(node) ?? NONE
  }

  open(node: number, parentRow: number, firstBlock: number, blocks: number): number {
    const row = this.#recycled.pop() ?? this.#used++
    if (row === this.node.length) this.#grow()
    this.node[row] = node
    this.parent[row] = parentRow
    this.blocks[row] = blocks
    this.firstBlock[row] = firstBlock
    this.cached[row] = 0
    this.visible[row] = 0
    this.soon[row] = 0
    this.seen[row] = 0
    this.held[row] = 0
    this.full[row] = 0
    this.partial[row] = NONE
    this.queued[row] = NONE
    this.hosted[row] = 0
    this.hostQueued[row] = NONE
    this.children[row] = 0
    if (parentRow !== NONE) this.children[parentRow]! += 1
    this.#rowOf.set(node, row)
    this.#holders?.add(node, this.#replica)
    return row
  }

  /** Drops the row, and its ancestors' rows, while nothing needs them. */
  closeIfIdle(row: number): void {
    let at = row
    while (
      at !== NONE &&
      this.cached[at] === 0 &&
      this.hosted[at] === 0 &&
      this.full[at] === 0 &&
      this.partial[at] === NONE &&
      this.children[at] === 0
    ) {
      const parent = this.parent[at]!
      this.#rowOf.delete(this.node[at]!)
      this.#holders?.remove(this.node[at]!, this.#replica)
      this.#recycled.push(at)
      if (parent !== NONE) this.children[parent]! -= 1
      at = parent
    }
  }

  #grow(): void {
    const columns = this as unknown as Record<string, Int32Array>
    for (const name of COLUMNS) {
      const grown = new Int32Array(this.node.length === 0 ? 64 : columns[name]!.length * 2)
      grown.set(columns[name]!)
      columns[name] = grown
    }
  }
}

const COLUMNS = [
  'parent',
  'blocks',
  'firstBlock',
  'cached',
  'visible',
  'soon',
  'seen',
  'held',
  'full',
  'partial',
  'queued',
  'hosted',
  'hostQueued',
  'children',
  'node',
] as const
