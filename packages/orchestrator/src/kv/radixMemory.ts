import type { Time } from '@windtunnel/des'
import type { PromptTree } from '@windtunnel/workload'
import { emptied } from '../emptied.ts'
import { NO_SLOT, type RequestTable } from '../requests.ts'
import type { CacheHolders } from './cacheHolders.ts'
import { EvictionHeap } from './evictionHeap.ts'
import type { KvMemoryOptions } from './kvMemory.ts'
import { RadixRuns } from './radixRuns.ts'
import { RadixVisibility } from './radixVisibility.ts'

const NONE = -1

/**
 * The KV memory of one replica with a radix tree of text over it, in pages (KV blocks) of `blockSize` tokens. A page is
 * free, in the tree, or private to a request (or on its way to one). A run of the tree is locked while a request's path
 * goes through it; the rest can be evicted, whole runs at a time, least recently used leaf first. The rules are in
 * SEMANTICS.md, "The radix tree". Work is per run of text, never per page.
 */
export class RadixMemory {
  readonly totalPages: number
  readonly pageTokens: number
  freePages: number
  /** Pages of unlocked runs. */
  evictablePages = 0
  evictedPages = 0
  peakUsedPages = 0
  private readonly cached: boolean
  private readonly table: RequestTable
  private readonly tree: PromptTree
  private readonly runs = new RadixRuns()
  private readonly leaves = new EvictionHeap()
  /** Run of the text that a request has for itself, by slot; NONE without. */
  private own = new Int32Array(0)
  private stamp = 0
  private readonly missing: number[] = []
  readonly visibility = new RadixVisibility(this.runs)

  constructor(options: KvMemoryOptions, table: RequestTable, tree: PromptTree) {
    this.totalPages = options.totalBlocks
    this.pageTokens = options.blockSize
    this.freePages = options.totalBlocks
    this.cached = options.prefixCache
    this.table = table
    this.tree = tree
  }

  /** Pages that can be had: free ones, and those that an eviction would free. */
  get roomPages(): number {
    return this.freePages + this.evictablePages
  }

  /** Pages that requests hold; text kept only for later hits does not count. */
  get usedPages(): number {
    return this.totalPages - this.freePages - this.evictablePages
  }

  /** Pages that `tokens` tokens fill or begin. */
  pagesFor(tokens: number): number {
    return Math.ceil(tokens / this.pageTokens)
  }

  /** Leading pages of the request's known text in the tree, at most whole pages of `known - 1` tokens. A look-up counts as a use. */
  match(slot: number, known: number): number {
    const row = this.deepest(slot)
    if (row === NONE) return 0
    this.touch(row)
    const cap = Math.floor((known - 1) / this.pageTokens)
    return Math.min(cap, this.runs.firstPage[row]! + this.runs.pages[row]!)
  }

  /** Leading pages in the tree that others see at `now`, of the path that ends at tree node `leaf`, at most `cap`. Not a use. */
  seenPages(leaf: number, cap: number, now: Time): number {
    const { firstPage, pages, parent } = this.runs
    const last = this.find(leaf)
    if (last === NONE) return 0
    const column = this.visibility.seenAt(now)
    let seen = firstPage[last]! + column[last]!
    if (this.visibility.isClear) return Math.min(cap, seen)
    for (let row = parent[last]!; row !== NONE; row = parent[row]!)
      if (column[row]! < pages[row]!) seen = firstPage[row]! + column[row]!
    return Math.min(cap, seen)
  }

  /** Reports in which nodes it keeps text, now and from now on. */
  tellHolders(holders: CacheHolders, replica: number): void {
    this.runs.tellHolders(holders, replica)
  }

  /** Of the first `pages` matched pages of the request, those that nobody locks. */
  evictableAmong(slot: number, pages: number): number {
    const runs = this.runs
    let sum = 0
    for (let row = this.holding(slot, pages); row !== NONE && runs.locks[row] === 0; row = runs.parent[row]!)
      sum += Math.min(runs.pages[row]!, pages - runs.firstPage[row]!)
    return sum
  }

  /** Takes the first `pages` matched pages for the request, which holds none yet. */
  takeMatched(slot: number, pages: number): void {
    if (pages === 0) return
    const row = this.holding(slot, pages)
    this.lock(row)
    this.table.holdRow[slot] = row
    this.table.treeBlocks[slot] = pages
    this.notePeak()
  }

  /** Evicts until `pages` pages are free, as far as there is something to evict. */
  makeRoom(pages: number): void {
    while (this.freePages < pages) {
      const row = this.leastRecentLeaf()
      if (row === NONE) return
      this.evict(row)
    }
  }

  /** Takes `pages` pages, evicting where needed; the caller has checked `roomPages`. */
  take(pages: number): void {
    this.makeRoom(pages)
    if (pages > this.freePages) throw new Error(`${pages} KV pages taken where ${this.freePages} are free`)
    this.freePages -= pages
    this.notePeak()
  }

  giveBack(pages: number): void {
    this.freePages += pages
  }

  /**
   * The first `computed` tokens of the request's text enter the tree, in whole pages, and the request's lock moves to
   * their end. Where the tree has them already the request gives its own pages back. What is new can be seen at once, or
   * when the step in flight has ended.
   */
  commit(slot: number, computed: number, inFlight = false): void {
    const table = this.table
    const before = table.treeBlocks[slot]!
    const pages = Math.floor(computed / this.pageTokens)
    if (!this.cached) return
    if (pages <= before) {
      if (before > 0) this.touch(table.holdRow[slot]!)
      return
    }
    const row = this.openUpTo(slot, pages)
    this.lock(row)
    const fresh = this.extend(row, pages, inFlight)
    this.freePages += pages - before - fresh
    table.privateBlocks[slot]! -= pages - before
    if (before > 0) this.unlock(table.holdRow[slot]!)
    table.holdRow[slot] = row
    table.treeBlocks[slot] = pages
    this.touch(row)
  }

  /** Frees the request's private pages and unlocks its path; what is in the tree stays there until it is evicted. */
  release(slot: number): void {
    const table = this.table
    this.freePages += table.privateBlocks[slot]!
    table.privateBlocks[slot] = 0
    if (table.treeBlocks[slot]! > 0) this.unlock(table.holdRow[slot]!)
    table.treeBlocks[slot] = 0
  }

  /** The request is gone: nobody will look for its own text again. */
  forget(slot: number): void {
    const row = this.ownRow(slot)
    if (row === NONE) return
    this.runs.owner[row] = NO_SLOT
    this.own[slot] = NONE
  }

  /** Node where the request's known text ends, as far as the prompt tree knows it. */
  leafOf(slot: number): number {
    const table = this.table
    const prompt = table.prompt[slot]!
    const follows = table.emitted[slot]! > 0 && table.output[slot] !== 0
    return follows && this.tree.depthOf(prompt) === table.inputTokens[slot] ? table.output[slot]! : prompt
  }

  // ---- runs ----------------------------------------------------------------------------------------------------------

  private ownRow(slot: number): number {
    return slot < this.own.length ? this.own[slot]! : NONE
  }

  private find(leaf: number): number {
    if (!this.cached) return NONE
    for (let node = leaf; node !== 0; node = this.tree.parentOf(node)) {
      const row = this.runs.find(node)
      if (row !== NONE) return row
    }
    return NONE
  }

  /** The deepest run of the request's text. */
  private deepest(slot: number): number {
    const own = this.ownRow(slot)
    return own !== NONE ? own : this.find(this.leafOf(slot))
  }

  /** The run that holds page `pages - 1` of the request's text. */
  private holding(slot: number, pages: number): number {
    let row = pages === 0 ? NONE : this.deepest(slot)
    while (row !== NONE && this.runs.firstPage[row]! >= pages) row = this.runs.parent[row]!
    return row
  }

  /** Opens the runs of the request's first `pages` pages that are missing; returns the last one. */
  private openUpTo(slot: number, pages: number): number {
    const leaf = this.leafOf(slot)
    const shared = Math.floor(this.tree.depthOf(leaf) / this.pageTokens)
    const last = this.openShared(leaf, Math.min(pages, shared))
    if (pages <= shared) return last
    const own = this.ownRow(slot)
    if (own !== NONE) return own
    if (slot >= this.own.length) {
      const grown = new Int32Array(this.table.capacity).fill(NONE)
      grown.set(this.own)
      this.own = grown
    }
    const row = this.runs.open(NONE, last, shared, slot)
    this.own[slot] = row
    return row
  }

  private openShared(leaf: number, pages: number): number {
    const tree = this.tree
    const missing = this.missing
    emptied(missing)
    let row = NONE
    for (let node = leaf; node !== 0; ) {
      const parent = tree.parentOf(node)
      const first = this.pageAt(parent)
      if (first < pages && this.pageAt(node) > first) {
        row = this.runs.find(node)
        if (row !== NONE) break
        missing.push(node)
      }
      node = parent
    }
    for (let i = missing.length - 1; i >= 0; i--) {
      const node = missing[i]!
      row = this.runs.open(node, row, this.pageAt(tree.parentOf(node)), NO_SLOT)
    }
    return row
  }

  /** Whole pages of the text that ends at `node`. */
  private pageAt(node: number): number {
    return Math.floor(this.tree.depthOf(node) / this.pageTokens)
  }

  /** Fills the (locked) path that ends at `last` up to `pages` pages; returns how many were not in the tree. */
  private extend(last: number, pages: number, inFlight: boolean): number {
    const runs = this.runs
    let fresh = 0
    for (let row = last; row !== NONE; row = runs.parent[row]!) {
      const node = runs.node[row]!
      const end = node === NONE ? pages : Math.min(pages, this.pageAt(node))
      const wanted = end - runs.firstPage[row]!
      const before = runs.pages[row]!
      if (wanted <= before) break
      fresh += wanted - before
      runs.pages[row] = wanted
      this.visibility.grown(row, before, inFlight)
    }
    return fresh
  }

  private touch(last: number): void {
    this.stamp += 1
    for (let row = last; row !== NONE; row = this.runs.parent[row]!) this.runs.stamp[row] = this.stamp
  }

  private lock(last: number): void {
    const runs = this.runs
    for (let row = last; row !== NONE; row = runs.parent[row]!) {
      if (runs.locks[row] === 0) this.evictablePages -= runs.pages[row]!
      runs.locks[row]! += 1
    }
  }

  private unlock(last: number): void {
    const runs = this.runs
    for (let row = last; row !== NONE; row = runs.parent[row]!) {
      runs.locks[row]! -= 1
      if (runs.locks[row] !== 0) continue
      this.evictablePages += runs.pages[row]!
      if (runs.children[row] === 0) this.leaves.push(row, runs.stamp[row]!)
    }
  }

  /** Keys in the heap may be older than the runs' stamps, and runs in it may no longer be evictable leaves. */
  private leastRecentLeaf(): number {
    const runs = this.runs
    while (this.leaves.size > 0) {
      const key = this.leaves.firstKey
      const row = this.leaves.pop()
      if (runs.locks[row]! > 0 || runs.children[row]! > 0) continue
      if (runs.stamp[row] === key) return row
      this.leaves.push(row, runs.stamp[row]!)
    }
    return NONE
  }

  private evict(row: number): void {
    const runs = this.runs
    const pages = runs.pages[row]!
    this.freePages += pages
    this.evictablePages -= pages
    this.evictedPages += pages
    const owner = runs.owner[row]!
    if (owner !== NO_SLOT) this.own[owner] = NONE
    const parent = runs.parent[row]!
    runs.close(row)
    this.visibility.closed(row)
    if (parent !== NONE && runs.children[parent] === 0 && runs.locks[parent] === 0)
      this.leaves.push(parent, runs.stamp[parent]!)
  }

  private notePeak(): void {
    if (this.usedPages > this.peakUsedPages) this.peakUsedPages = this.usedPages
  }
}
