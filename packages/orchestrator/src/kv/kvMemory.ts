import type { Time } from '@windtunnel/des'
import type { PromptTree } from '@windtunnel/workload'
import { emptied } from '../emptied.ts'
import type { RequestTable } from '../requests.ts'
import { BLOCKS, CACHED, CachedRuns, FIRST_BLOCK, FULL, HELD, HOSTED, PARENT, QUEUED } from './cachedRuns.ts'
import type { CacheHolders } from './cacheHolders.ts'
import { ANONYMOUS, FreeQueue } from './freeQueue.ts'
import { HostTier } from './hostTier.ts'
import { RunHolders } from './runHolders.ts'
import { type Origin, Visibility } from './visibility.ts'

const NONE = -1

export interface KvMemoryOptions {
  /** Usable blocks (without vLLM's null block). */
  totalBlocks: number
  blockSize: number
  prefixCache: boolean
  /** A tier of the prefix cache on the host; none when absent. */
  hostCache?: { blocks: number }
}

/**
 * The paged KV memory of one replica with its prefix cache, in blocks. Work on shared text is per run (tree node), never per
 * block. The rules are in SEMANTICS.md, "KV blocks and the prefix cache".
 */
export class KvMemory {
  readonly totalBlocks: number
  readonly blockSize: number
  readonly prefixCache: boolean
  /** Blocks evicted so far (cached text that was overwritten). */
  evictedBlocks = 0
  peakUsedBlocks = 0
  private table: RequestTable
  private tree: PromptTree
  private queue: FreeQueue
  private runs = new CachedRuns()
  private readonly holders: RunHolders
  /** What routers and other replicas may see of it. */
  readonly visibility = new Visibility(this.runs)
  /** Text came by transfer: blocks can be visible although blocks before them are not yet. */
  private received = false
  private path: number[] = []
  private host: HostTier | undefined
  /** What is being cached has left the host already. */
  private loading = false

  constructor(options: KvMemoryOptions, table: RequestTable, tree: PromptTree) {
    this.totalBlocks = options.totalBlocks
    this.blockSize = options.blockSize
    this.prefixCache = options.prefixCache
    this.table = table
    this.tree = tree
    this.queue = new FreeQueue(options.totalBlocks)
    this.holders = new RunHolders(this.runs, this.queue, table)
    if (options.prefixCache && options.hostCache !== undefined)
      this.host = new HostTier(this.runs, options.hostCache.blocks)
  }

  get freeBlocks(): number {
    return this.queue.blocks
  }

  get usedBlocks(): number {
    return this.totalBlocks - this.queue.blocks
  }

  /** Blocks that `tokens` tokens fill or begin. */
  blocksFor(tokens: number): number {
    return ((tokens + this.blockSize - 1) / this.blockSize) | 0
  }

  /** Leading blocks of the request's known text that are cached; at most whole blocks of `known - 1` tokens. */
  match(slot: number, known: number): number {
    if (!this.prefixCache) return 0
    const leaf = this.leaf(slot)
    return leaf === 0 ? 0 : this.cachedBlocks(leaf, Math.floor((known - 1) / this.blockSize))
  }

  /** Leading blocks cached of the path that ends at tree node `leaf`, at most `cap`. */
  cachedBlocks(leaf: number, cap: number): number {
    for (let node = leaf; node !== 0; node = this.tree.parentOf(node)) {
      const row = this.runs.find(node)
      if (row !== NONE && this.runs.cells[row + CACHED]! > 0) {
        return Math.min(cap, this.runs.cells[row + FIRST_BLOCK]! + this.runs.cells[row + CACHED]!)
      }
    }
    return 0
  }

  /** Reports in which nodes it keeps blocks, now and from now on. */
  tellHolders(holders: CacheHolders, replica: number): void {
    this.runs.tellHolders(holders, replica)
  }

  /** Leading blocks of the path that ends at `leaf` that others see at `now`, at most `cap`. */
  seenBlocks(leaf: number, cap: number, now: Time): number {
    const seen = this.visibility.seenAt(now)
    const runs = this.runs
    let found = -1
    for (let node = leaf; node !== 0; node = this.tree.parentOf(node)) {
      const row = runs.find(node)
      if (row === NONE || (found < 0 && runs.cells[row + seen] === 0)) continue
      if (found < 0 || runs.cells[row + seen]! < runs.cells[row + BLOCKS]!)
        found = runs.cells[row + FIRST_BLOCK]! + runs.cells[row + seen]!
      if (!this.received) break
    }
    return Math.max(0, Math.min(cap, found))
  }

  /** Of the first `blocks` (matched) blocks of the request's path, those that nobody holds: free until they are taken. */
  freeAmong(slot: number, blocks: number): number {
    const runs = this.runs
    let free = 0
    for (
      let row = this.rowAt(slot, blocks);
      row !== NONE && runs.cells[row + FULL] === 0;
      row = runs.cells[row + PARENT]!
    ) {
      const here = Math.min(blocks - runs.cells[row + FIRST_BLOCK]!, runs.cells[row + BLOCKS]!)
      if (here > runs.cells[row + HELD]!) free += here - runs.cells[row + HELD]!
    }
    return free
  }

  /** Takes the first `blocks` matched blocks for the request, which holds none yet. */
  takeMatched(slot: number, blocks: number): void {
    const row = this.rowAt(slot, blocks)
    this.holders.add(slot, row, blocks - this.runs.cells[row + FIRST_BLOCK]!)
    this.table.treeBlocks[slot] = blocks
    this.notePeak()
  }

  /** Blocks on the host that follow the first `cached` (matched) ones; with these at most whole blocks of `known - 1` tokens. */
  hostMatch(slot: number, known: number, cached: number): number {
    return this.host === undefined ? 0 : this.hostedBlocks(slot, known, cached)
  }

  private hostedBlocks(slot: number, known: number, cached: number): number {
    const tree = this.tree
    const runs = this.runs
    const size = this.blockSize
    let reach = Math.floor((known - 1) / size)
    if (reach <= cached) return 0
    const leaf = this.leaf(slot)
    reach = Math.min(reach, Math.floor(tree.depthOf(leaf) / size))
    for (let node = leaf; node !== 0; node = tree.parentOf(node)) {
      const end = Math.floor(tree.depthOf(node) / size)
      if (end <= cached) break
      const first = Math.floor(tree.depthOf(tree.parentOf(node)) / size)
      const row = runs.find(node)
      const here = row === NONE ? 0 : runs.cells[row + CACHED]! + runs.cells[row + HOSTED]!
      if (first + here < end) reach = Math.min(reach, first + here)
    }
    return Math.max(0, reach - cached)
  }

  /** Brings the `blocks` blocks that follow the request's first `cached` ones back from the host, into blocks of its own. */
  load(slot: number, cached: number, blocks: number): void {
    const runs = this.runs
    const end = cached + blocks
    for (let node = this.leaf(slot); node !== 0; node = this.tree.parentOf(node)) {
      const row = runs.find(node)
      if (row === NONE) continue
      const first = runs.cells[row + FIRST_BLOCK]!
      if (first + runs.cells[row + BLOCKS]! <= cached) break
      const from = first + runs.cells[row + CACHED]!
      if (end > from) this.host!.remove(row, Math.min(end - from, runs.cells[row + HOSTED]!))
    }
    this.allocate(slot, blocks)
    this.loading = true
    this.commit(slot, end * this.blockSize, 'step')
    this.loading = false
  }

  /** Allocates `blocks` private blocks to the request; the caller has checked `freeBlocks`. */
  allocate(slot: number, blocks: number): void {
    this.table.privateBlocks[slot]! += blocks
    this.take(blocks)
  }

  /** Takes `blocks` from the free queue, evicting what they cached. */
  take(blocks: number): void {
    if (!this.queue.takeAnonymous(blocks)) this.evict(blocks)
    this.notePeak()
  }

  private evict(blocks: number): void {
    const queue = this.queue
    let left = blocks
    while (left > 0) {
      const row = queue.headOwner
      const taken = queue.takeFromHead(left)
      left -= taken
      if (row !== ANONYMOUS) {
        const runs = this.runs
        this.evictedBlocks += taken
        runs.cells[row + CACHED]! -= taken
        this.visibility.shrunk(row)
        this.host?.keep(row, taken)
        if (runs.cells[row + CACHED] === runs.cells[row + HELD]) {
          runs.cells[row + QUEUED] = NONE
          runs.closeIfIdle(row)
        }
      }
    }
  }

  /** Gives back blocks that were taken for nobody in particular. */
  giveBack(blocks: number): void {
    if (blocks > 0) this.queue.pushAnonymous(blocks)
  }

  /** A transferred prompt is here at `now`: caches it, and others may see it at once. */
  receive(slot: number, computed: number, now: Time): void {
    this.received = true
    this.visibility.setNow(now)
    this.commit(slot, computed, 'past')
  }

  /**
   * The request's first `computed` tokens are scheduled: caches its full blocks that belong to the tree. Where a free cached
   * copy exists already, the request takes that one and gives its own back. `origin` says when others may see what is new.
   */
  commit(slot: number, computed: number, origin: Origin): void {
    const leaf = this.prefixCache ? this.leaf(slot) : 0
    if (leaf > 0) this.cache(slot, leaf, computed, origin)
  }

  private cache(slot: number, leaf: number, computed: number, origin: Origin): void {
    const table = this.table
    const full = Math.floor(Math.min(computed, this.tree.depthOf(leaf)) / this.blockSize)
    const before = table.treeBlocks[slot]!
    if (full <= before) return
    const runs = this.runs
    const path = this.openPath(leaf, before)
    const deepest = path.find((row) => runs.cells[row + FIRST_BLOCK]! < full && runs.cells[row + BLOCKS]! > 0)!
    const oldRow = table.holdRow[slot]!
    if (before > 0) this.holders.pin(slot, oldRow)
    const freeBefore = this.queue.blocks
    this.holders.add(slot, deepest, full - runs.cells[deepest + FIRST_BLOCK]!)
    if (before > 0) runs.cells[oldRow + FULL]! -= 1
    const exchanged = freeBefore - this.queue.blocks
    if (exchanged > 0) this.queue.pushAnonymous(exchanged)
    table.privateBlocks[slot]! -= this.cacheUpTo(full, origin) + exchanged
    table.treeBlocks[slot] = full
    runs.closeIfIdle(path[0]!)
  }

  /** Frees all blocks of the request: its own first, then shared runs from the deepest. */
  release(slot: number): void {
    const table = this.table
    const own = table.privateBlocks[slot]!
    if (own > 0) this.queue.pushAnonymous(own)
    table.privateBlocks[slot] = 0
    if (table.treeBlocks[slot]! > 0) {
      this.holders.drop(slot)
      table.treeBlocks[slot] = 0
    }
  }

  /** Node where the request's known text ends, as far as the tree knows it. */
  private leaf(slot: number): number {
    const table = this.table
    const output = table.output[slot]!
    return output !== 0 && table.emitted[slot]! > 0 ? output : table.prompt[slot]!
  }

  /** Row of the node that holds block `blocks - 1` of the request's path. */
  private rowAt(slot: number, blocks: number): number {
    for (let node = this.leaf(slot); node !== 0; node = this.tree.parentOf(node)) {
      const row = this.runs.find(node)
      if (row !== NONE && this.runs.cells[row + FIRST_BLOCK]! < blocks) return row
    }
    return NONE
  }

  /** Rows of the path from `leaf` up to the node where block `from` lies, deepest first; opens those that are missing. */
  private openPath(leaf: number, from: number): number[] {
    const runs = this.runs
    const tree = this.tree
    const path = emptied(this.path)
    for (let node = leaf; node !== 0; node = tree.parentOf(node)) {
      path.push(node)
      const row = runs.find(node)
      if (row !== NONE && runs.cells[row + FIRST_BLOCK]! <= from) break
    }
    let parent = NONE
    for (let i = path.length - 1; i >= 0; i--) {
      const node = path[i]!
      let row = runs.find(node)
      if (row === NONE) {
        const first = Math.floor(tree.depthOf(tree.parentOf(node)) / this.blockSize)
        row = runs.open(node, parent, first, Math.floor(tree.depthOf(node) / this.blockSize) - first)
      }
      path[i] = row
      parent = row
    }
    return path
  }

  /** Marks blocks [0, full) of the opened path as cached; returns how many were not. */
  private cacheUpTo(full: number, origin: Origin): number {
    const runs = this.runs
    let fresh = 0
    for (const row of this.path) {
      const here = Math.min(full - runs.cells[row + FIRST_BLOCK]!, runs.cells[row + BLOCKS]!)
      const before = runs.cells[row + CACHED]!
      if (here > before) {
        fresh += here - before
        runs.cells[row + CACHED] = here
        const hosted = this.loading ? 0 : Math.min(runs.cells[row + HOSTED]!, here - before)
        if (hosted > 0) this.host!.remove(row, hosted)
        this.visibility.grown(row, before, origin)
      }
    }
    return fresh
  }

  private notePeak(): void {
    const used = this.totalBlocks - this.queue.blocks
    if (used > this.peakUsedBlocks) this.peakUsedBlocks = used
  }
}
