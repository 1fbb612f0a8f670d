const PAGE_BITS = 12
const IN_PAGE = (1 << PAGE_BITS) - 1

/** What is held of 4,096 nodes in a row, and of how many of them something is. */
interface Page {
  /** 0: none; replica + 1: that one; MANY: see lists. */
  readonly single: Int32Array
  nodes: number
}

/**
 * Which replicas hold text of which nodes of the prompt tree in their prefix caches, as the caches report it. A replica that
 * is not listed holds nothing of the node; one that is may have lost it since its last step. Memory follows what is held,
 * not all the nodes there ever were.
 */
export class CacheHolders {
  private readonly pages: (Page | undefined)[] = []
  private readonly lists = new Map<number, number[]>()
  private readonly one = [0]
  /** A page that nothing is held of any more, for the next one that is needed. */
  private spare: Page | undefined

  add(node: number, replica: number): void {
    const page = this.pages[node >> PAGE_BITS] ?? this.open(node >> PAGE_BITS)
    const at = node & IN_PAGE
    const here = page.single[at]!
    if (here === 0) {
      page.single[at] = replica + 1
      page.nodes += 1
    } else if (here === MANY) this.lists.get(node)!.push(replica)
    else {
      page.single[at] = MANY
      this.lists.set(node, [here - 1, replica])
    }
  }

  remove(node: number, replica: number): void {
    const page = this.pages[node >> PAGE_BITS]
    if (page === undefined) return
    const at = node & IN_PAGE
    if (page.single[at] !== MANY) {
      if (page.single[at] !== 0) page.nodes -= 1
      page.single[at] = 0
      if (page.nodes === 0) this.close(node >> PAGE_BITS, page)
      return
    }
    const list = this.lists.get(node)!
    const last = list.pop()!
    if (last !== replica) list[list.indexOf(replica)] = last
    if (list.length > 1) return
    this.lists.delete(node)
    page.single[at] = list[0]! + 1
  }

  /** The replicas that hold some of the node, in no particular order; to be read at once, not kept. */
  of(node: number): readonly number[] {
    const here = this.pages[node >> PAGE_BITS]?.single[node & IN_PAGE] ?? 0
    if (here === 0) return NOBODY
    if (here === MANY) return this.lists.get(node)!
    this.one[0] = here - 1
    return this.one
  }

  private open(number: number): Page {
    const page = this.spare ?? { single: new Int32Array(1 << PAGE_BITS), nodes: 0 }
    this.spare = undefined
    this.pages[number] = page
    return page
  }

  private close(number: number, page: Page): void {
    this.spare = page
    this.pages[number] = undefined
  }
}

const MANY = -1
const NOBODY: readonly number[] = []
