const PAGE_BITS = 12
const PAGE_NODES = 1 << PAGE_BITS
const IN_PAGE = PAGE_NODES - 1
/** Released pages that are kept at least, and for how long (virtual seconds): far longer than any step or transfer. */
const PAGES_KEPT = 16
const SECONDS_KEPT = 600
/** Node numbers must fit the 32-bit columns of those who keep them. */
const MOST_NODES = 2147483647

interface Page {
  readonly parents: Int32Array
  readonly depths: Int32Array
  /** Only where a node of the page is found by content. */
  contents: Float64Array | undefined
  released: number
  /** When the last of its nodes was. */
  releasedAtSeconds: number
}

const emptyPage = (): Page => ({
  parents: new Int32Array(PAGE_NODES),
  depths: new Int32Array(PAGE_NODES),
  contents: undefined,
  released: 0,
  releasedAtSeconds: 0,
})

/**
 * Parent, depth and content of the nodes of a prompt tree, 8 to 16 bytes each, in pages of 4,096. A page whose nodes are all
 * released is dropped 600 virtual seconds later, when as many more pages have been released as are in use: an engine may
 * look at the text of a request until the step ends in which its client left. Node numbers are never used again.
 */
export class NodePages {
  private readonly pages: (Page | undefined)[] = []
  private readonly released: number[] = []
  private readonly spare: Page[] = []
  private inUse = 0
  private count = 0

  /** Nodes added so far; the next one gets this number. */
  get length(): number {
    return this.count
  }

  /** Nodes that there is memory for. */
  get held(): number {
    return (this.inUse + this.released.length + this.spare.length) * PAGE_NODES
  }

  /** Adds a node found by `contentId`, or by nothing when that is undefined. Throws a RangeError beyond 2^31 nodes. */
  add(parent: number, depth: number, contentId: number | undefined): number {
    if (this.count === MOST_NODES)
      throw new RangeError('PromptTree: the traffic has more than 2^31 pieces of text; begin a new run')
    const node = this.count++
    const at = node & IN_PAGE
    if (at === 0) this.open()
    const page = this.pages[node >> PAGE_BITS]!
    page.parents[at] = parent
    page.depths[at] = depth
    if (contentId !== undefined) {
      page.contents ??= new Float64Array(PAGE_NODES)
      page.contents[at] = contentId
    }
    return node
  }

  parentOf(node: number): number {
    return this.pages[node >> PAGE_BITS]!.parents[node & IN_PAGE]!
  }

  depthOf(node: number): number {
    return this.pages[node >> PAGE_BITS]!.depths[node & IN_PAGE]!
  }

  /** Of a node that was added with a content. */
  contentOf(node: number): number {
    return this.pages[node >> PAGE_BITS]!.contents![node & IN_PAGE]!
  }

  release(node: number, atSeconds: number): void {
    const number = node >> PAGE_BITS
    const page = this.pages[number]!
    page.released += 1
    if (page.released < PAGE_NODES) return
    page.releasedAtSeconds = atSeconds
    this.released.push(number)
    this.inUse -= 1
    while (this.released.length > Math.max(PAGES_KEPT, this.inUse) && this.dropFirst(atSeconds - SECONDS_KEPT)) {}
  }

  private open(): void {
    const page = this.spare.pop() ?? emptyPage()
    page.released = 0
    this.pages.push(page)
    this.inUse += 1
  }

  /** Drops the page released first unless that was after `limitSeconds`; its memory is used for the next page. */
  private dropFirst(limitSeconds: number): boolean {
    const number = this.released[0]!
    const page = this.pages[number]!
    if (page.releasedAtSeconds > limitSeconds) return false
    this.released.shift()
    this.spare.push(page)
    this.pages[number] = undefined
    return true
  }
}
