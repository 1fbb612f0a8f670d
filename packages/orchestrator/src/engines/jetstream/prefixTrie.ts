import type { PromptTree } from '@windtunnel/workload'

interface TrieNode {
  readonly parent: number
  /** What follows, in the order in which it came. */
  readonly children: Set<number>
}

const ROOT = 0

/**
 * The keys of one layer of JetStream's prefix cache. JetStream keeps a node per token; here a node is what prompts can share
 * as a whole: a node of the prompt tree, or a request's own text after one (a negative number). A key that ends within a run
 * is named by that run: counted in whole chunks there is one such end in a run.
 */
export class PrefixTrie {
  readonly #tree: PromptTree
  readonly #nodes = new Map<number, TrieNode>([[ROOT, { parent: ROOT, children: new Set() }]])

  constructor(tree: PromptTree) {
    this.#tree = tree
  }

  /** Whether text down to here is a path. */
  has(key: number): boolean {
    return this.#nodes.has(key)
  }

  isLeaf(key: number): boolean {
    return this.#nodes.get(key)!.children.size === 0
  }

  /** `parent` is the node of the prompt tree that `key` follows. */
  insert(key: number, parent: number): void {
    if (this.#nodes.has(key)) return
    this.#nodes.set(key, { parent, children: new Set() })
    this.insert(parent, this.#tree.parentOf(parent))
    this.#nodes.get(parent)!.children.add(key)
  }

  /** Takes a leaf out, and what leads to it alone. A key that is no leaf stays as a path. */
  erase(key: number): void {
    for (let at = key; at !== ROOT; ) {
      const node = this.#nodes.get(at)!
      if (node.children.size > 0) return
      this.#nodes.delete(at)
      this.#nodes.get(node.parent)!.children.delete(at)
      at = node.parent
    }
  }

  /** The last node of the path to `leaf` that is here; 0 when none is. */
  deepest(leaf: number): number {
    let node = leaf
    while (node !== ROOT && !this.#nodes.has(node)) node = this.#tree.parentOf(node)
    return node
  }

  /** The key of the leaf on the branch that was there first. */
  leafBelow(from: number): number {
    let at = from
    for (;;) {
      const first = this.#nodes.get(at)!.children.values().next()
      if (first.done === true) return at
      at = first.value
    }
  }
}
