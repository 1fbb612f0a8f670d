import type { PromptTree } from '@windtunnel/workload'
import type { ReferenceSglangRequest } from './referenceSglangRequest.ts'

/** One page of text in the tree: which run it is part of, and the page before it on its path. */
interface CachedPage {
  run: string
  before: string | undefined
  /** Time from which others see it; undefined while the step in flight computes it. */
  seenFrom: bigint | undefined
}

/** The radix tree and its pages one page at a time: nothing is summed up, everything is looked for. */
export class ReferenceRadix {
  readonly total: number
  readonly page: number
  free: number
  /** Cached pages by their key. */
  readonly pages = new Map<string, CachedPage>()
  /** Delay until others see what became visible, in ticks. */
  cacheDelay = 0n
  readonly #used = new Map<string, number>()
  readonly #prefixCache: boolean
  readonly #tree: PromptTree
  /** Every request that may hold pages. */
  readonly #requests: () => readonly ReferenceSglangRequest[]
  #clock = 0

  constructor(
    total: number,
    page: number,
    prefixCache: boolean,
    tree: PromptTree,
    requests: () => readonly ReferenceSglangRequest[],
  ) {
    this.total = total
    this.free = total
    this.page = page
    this.#prefixCache = prefixCache
    this.#tree = tree
    this.#requests = requests
  }

  pagesFor(tokens: number): number {
    return Math.ceil(tokens / this.page)
  }

  /** Key of page `index` of a text: the prompt-tree node of its last token, or the request that has it for itself. */
  #key(leaf: number, owner: string, index: number): { key: string; run: string } {
    const end = (index + 1) * this.page
    for (let node = leaf; node !== 0; node = this.#tree.parentOf(node)) {
      const from = this.#tree.depthOf(this.#tree.parentOf(node))
      if (from < end && end <= this.#tree.depthOf(node)) return { key: `${node}:${index}`, run: `${node}` }
    }
    return { key: `own ${owner}:${index}`, run: `own ${owner}` }
  }

  /** Keys of the leading pages of a text that are in the tree. */
  #found(leaf: number, owner: string): string[] {
    const found: string[] = []
    for (;;) {
      const { key } = this.#key(leaf, owner, found.length)
      if (!this.pages.has(key)) return found
      found.push(key)
    }
  }

  #touch(keys: readonly string[]): void {
    if (keys.length === 0) return
    this.#clock += 1
    for (const key of keys) this.#used.set(this.pages.get(key)!.run, this.#clock)
  }

  match(request: ReferenceSglangRequest): string[] {
    const found = this.#found(this.leaf(request), `${request.id}`)
    this.#touch(found)
    return found.slice(0, Math.floor((request.known - 1) / this.page))
  }

  /** As a router sees it: only shared text, and no use of it. */
  visible(leaf: number, inputTokens: number, now: bigint): number {
    if (leaf === 0) return 0
    const cap = Math.floor((inputTokens - 1) / this.page)
    const found = this.#found(leaf, 'nobody')
    const hidden = found.findIndex((key) => (this.pages.get(key)!.seenFrom ?? now + 1n) > now)
    return Math.min(cap, hidden < 0 ? found.length : hidden) * this.page
  }

  leaf(request: ReferenceSglangRequest): number {
    const { prompt, output } = request.draft
    const follows = request.emitted > 0 && output !== 0 && this.#tree.depthOf(prompt) === request.input
    return follows ? output : prompt
  }

  /** Tokens that two texts have in common, as the prompt tree knows it. */
  common(a: ReferenceSglangRequest, b: ReferenceSglangRequest): number {
    const above = (leaf: number): number[] => {
      const path = []
      for (let node = leaf; node !== 0; node = this.#tree.parentOf(node)) path.push(node)
      return path
    }
    const others = above(this.leaf(b))
    const node = above(this.leaf(a)).find((one) => others.includes(one))
    return node === undefined ? 0 : Math.min(this.#tree.depthOf(node), a.known)
  }

  #locked(run: string): boolean {
    return this.#requests().some((request) => request.held.some((key) => this.pages.get(key)!.run === run))
  }

  #pagesOf(run: string): string[] {
    return [...this.pages].filter(([, page]) => page.run === run).map(([key]) => key)
  }

  #runs(): string[] {
    return [...new Set([...this.pages.values()].map((page) => page.run))]
  }

  get evictable(): number {
    return this.#runs()
      .filter((run) => !this.#locked(run))
      .reduce((sum, run) => sum + this.#pagesOf(run).length, 0)
  }

  get room(): number {
    return this.free + this.evictable
  }

  get used(): number {
    return this.total - this.room
  }

  /** How many of these pages are in runs that nobody locks. */
  evictableAmong(keys: readonly string[]): number {
    return keys.filter((key) => !this.#locked(this.pages.get(key)!.run)).length
  }

  makeRoom(pages: number): void {
    while (this.free < pages) {
      const leaves = this.#runs().filter((run) => !this.#locked(run) && !this.#hasChildren(run))
      if (leaves.length === 0) return
      const oldest = leaves.reduce((a, b) => (this.#used.get(a)! <= this.#used.get(b)! ? a : b))
      for (const key of this.#pagesOf(oldest)) {
        this.pages.delete(key)
        this.free += 1
      }
    }
  }

  #hasChildren(run: string): boolean {
    return [...this.pages.values()].some(
      (page) => page.run !== run && page.before !== undefined && this.pages.get(page.before)!.run === run,
    )
  }

  take(pages: number): void {
    this.makeRoom(pages)
    if (pages > this.free) throw new Error('pages taken that are not there')
    this.free -= pages
  }

  /** The step in flight has ended. */
  land(now: bigint): void {
    for (const page of this.pages.values()) page.seenFrom ??= now + this.cacheDelay
  }

  commit(request: ReferenceSglangRequest, computed: number, now: bigint, inFlight = false): void {
    if (!this.#prefixCache) return
    for (let index = request.held.length; (index + 1) * this.page <= computed; index++) {
      const { key, run } = this.#key(this.leaf(request), `${request.id}`, index)
      request.own -= 1
      if (this.pages.has(key)) this.free += 1
      else {
        const seenFrom = inFlight ? undefined : now + this.cacheDelay
        this.pages.set(key, { run, before: request.held.at(-1), seenFrom })
      }
      request.held.push(key)
    }
    this.#touch(request.held)
  }

  release(request: ReferenceSglangRequest): void {
    this.free += request.own
    request.own = 0
    request.held = []
  }
}
