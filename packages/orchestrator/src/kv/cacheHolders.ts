/**
 * Which replicas hold text of which nodes of the prompt tree in their prefix caches, as the caches report it. A replica that
 * is not listed holds nothing of the node; one that is may have lost it since its last step.
 */
export class CacheHolders {
  /** 0: none; replica + 1: that one; MANY: see #lists. */
  #single = new Int32Array(1024)
  readonly #lists = new Map<number, number[]>()
  readonly #one = [0]

  add(node: number, replica: number): void {
    if (node >= this.#single.length) this.#grow(node)
    const here = this.#single[node]!
    if (here === 0) this.#single[node] = replica + 1
    else if (here === MANY) this.#lists.get(node)!.push(replica)
    else {
      this.#single[node] = MANY
      this.#lists.set(node, [here - 1, replica])
    }
  }

  remove(node: number, replica: number): void {
    if (this.#single[node] !== MANY) {
      this.#single[node] = 0
      return
    }
    const list = this.#lists.get(node)!
    const last = list.pop()!
    if (last !== replica) list[list.indexOf(replica)] = last
    if (list.length > 1) return
    this.#lists.delete(node)
    this.#single[node] = list[0]! + 1
  }

  /** The replicas that hold some of the node, in no particular order; to be read at once, not kept. */
  of(node: number): readonly number[] {
    const here = node < this.#single.length ? this.#single[node]! : 0
    if (here === 0) return NOBODY
    if (here === MANY) return this.#lists.get(node)!
    this.#one[0] = here - 1
    return this.#one
  }

  #grow(node: number): void {
    let size = this.#single.length
    while (size <= node) size *= 2
    const grown = new Int32Array(size)
    grown.set(this.#single)
    this.#single = grown
  }
}

const MANY = -1
const NOBODY: readonly number[] = []
