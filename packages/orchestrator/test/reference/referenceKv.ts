import type { PromptTree } from '@windtunnel/workload'
import type { ReferenceVllmRequest } from './referenceVllmRequest.ts'

/** One physical KV block. `key` names the text it caches; a block without key can be found by nobody. */
export interface Block {
  key: string | undefined
  holders: number
  /** What it caches now, as against what it cached before or after: one object each time. */
  caching: object | undefined
  /** Time from which others may see it. */
  visibleFrom: bigint | undefined
}

/** A block as it was when it became cached. */
export interface FreshBlock {
  block: Block
  caching: object
}

/** Paged KV memory with its prefix cache, one block at a time: the rules of SEMANTICS.md without any shortcut. */
export class ReferenceKv {
  readonly free: Block[] = []
  readonly cache = new Map<string, Block>()
  readonly total: number
  readonly blockSize: number
  /** Evicted text on the host, the least recently evicted first. */
  readonly #host = new Set<string>()
  hostBlocks = 0
  loaded = 0
  readonly #prefixCache: boolean
  readonly #tree: PromptTree

  constructor(total: number, blockSize: number, prefixCache: boolean, tree: PromptTree) {
    this.total = total
    this.blockSize = blockSize
    this.#prefixCache = prefixCache
    this.#tree = tree
    for (let i = 0; i < total; i++)
      this.free.push({ key: undefined, holders: 0, caching: undefined, visibleFrom: undefined })
  }

  blocksFor(tokens: number): number {
    return Math.ceil(tokens / this.blockSize)
  }

  /** Key of block `index` of the path that ends at `leaf`: the node that holds its last token. Undefined beyond the tree. */
  key(leaf: number, index: number): string | undefined {
    const lastToken = (index + 1) * this.blockSize
    for (let node = leaf; node !== 0; node = this.#tree.parentOf(node)) {
      if (this.#tree.depthOf(this.#tree.parentOf(node)) < lastToken && this.#tree.depthOf(node) >= lastToken)
        return `${node}:${index}`
    }
    return undefined
  }

  /** The cached leading blocks of the path, at most `cap` of them. */
  match(leaf: number, cap: number): Block[] {
    const found: Block[] = []
    if (!this.#prefixCache) return found
    while (found.length < cap) {
      const key = this.key(leaf, found.length)
      const block = key === undefined ? undefined : this.cache.get(key)
      if (block === undefined) break
      found.push(block)
    }
    return found
  }

  /** Leading blocks of the path that others may see at `now`, at most `cap`. */
  seen(leaf: number, cap: number, now: bigint): number {
    const blocks = this.match(leaf, cap)
    const hidden = blocks.findIndex(({ visibleFrom }) => visibleFrom === undefined || visibleFrom > now)
    return hidden < 0 ? blocks.length : hidden
  }

  /** What became cached becomes visible at `from`, where it still is. */
  show(fresh: FreshBlock[], from: bigint): void {
    for (const { block, caching } of fresh) if (block.caching === caching) block.visibleFrom = from
  }

  #toHost(key: string): void {
    this.#host.add(key)
    if (this.#host.size > this.hostBlocks) this.#host.delete([...this.#host][0]!)
  }

  /** Blocks `from`, `from + 1` ... of the path that are on the host, those below `cap`. */
  hostMatch(leaf: number, from: number, cap: number): number {
    let index = from
    while (index < cap && this.#host.has(this.key(leaf, index) ?? '')) index += 1
    return index - from
  }

  /** Brings blocks from the host back; returns what became cached. */
  load(request: ReferenceVllmRequest, blocks: number): FreshBlock[] {
    const from = request.shared.length
    for (let index = from; index < from + blocks; index++) this.#host.delete(this.key(request.leaf, index)!)
    this.loaded += blocks
    this.allocate(request, blocks)
    return this.commit(request, (from + blocks) * this.blockSize)
  }

  hold(block: Block): void {
    if (block.holders === 0) this.free.splice(this.free.indexOf(block), 1)
    block.holders += 1
  }

  allocate(request: ReferenceVllmRequest, count: number): void {
    for (let i = 0; i < count; i++) {
      const block = this.free.shift()
      if (block === undefined) throw new Error('allocation without free blocks')
      if (block.key !== undefined) {
        this.cache.delete(block.key)
        this.#toHost(block.key)
      }
      block.key = undefined
      block.caching = undefined
      block.visibleFrom = undefined
      block.holders = 1
      request.own.push(block)
    }
  }

  /** The first `computed` tokens are scheduled: their full blocks that belong to the tree are cached. Returns the new ones. */
  commit(request: ReferenceVllmRequest, computed: number): FreshBlock[] {
    const fresh: FreshBlock[] = []
    if (!this.#prefixCache) return fresh
    for (let index = request.shared.length; (index + 1) * this.blockSize <= computed; index++) {
      const key = this.key(request.leaf, index)
      if (key === undefined) return fresh
      const cached = this.cache.get(key)
      if (cached !== undefined) {
        const exchange = cached.holders === 0
        this.hold(cached)
        if (exchange) this.#drop(request.own.shift()!)
        request.shared.push(cached)
        continue
      }
      const block = request.own.shift()!
      block.key = key
      block.caching = {}
      block.visibleFrom = undefined
      fresh.push({ block, caching: block.caching })
      this.cache.set(key, block)
      this.#host.delete(key)
      request.shared.push(block)
    }
    return fresh
  }

  release(request: ReferenceVllmRequest): void {
    for (const block of request.own) this.#drop(block)
    for (const block of request.shared.reverse()) this.#drop(block)
    request.own = []
    request.shared = []
  }

  #drop(block: Block): void {
    block.holders -= 1
    if (block.holders === 0) this.free.push(block)
  }
}
