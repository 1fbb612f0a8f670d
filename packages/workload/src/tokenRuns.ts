import { NodePages } from './nodePages.ts'
import type { PromptTree } from './promptTree.ts'

const NONE = -1

/** Spreads (parent, content, tokens) over 32 bits. */
function hash(parent: number, contentId: number, tokens: number): number {
  const high = Math.floor(contentId / 4294967296)
  let h = Math.imul(parent ^ 0x9e3779b9, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15) ^ (contentId | 0), 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 13) ^ high, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 16) ^ tokens, 0x165667b1)
  return (h ^ (h >>> 15)) >>> 0
}

/** A PromptTree on typed arrays: pages of nodes, and an open-addressed table of those found by content. */
class TokenRuns implements PromptTree {
  private readonly nodes = new NodePages()
  private filed = 0
  /** Node + 1 by hash; 0 is free. */
  private table = new Int32Array(128)

  constructor() {
    this.nodes.add(0, 0, undefined)
  }

  get size(): number {
    return this.nodes.length
  }

  child(parent: number, contentId: number, tokens: number): number {
    this.check(parent, tokens)
    if (!Number.isSafeInteger(contentId)) throw new RangeError(`PromptTree: content ${contentId} is not a safe integer`)
    const { nodes } = this
    const mask = this.table.length - 1
    const depth = nodes.depthOf(parent) + tokens
    for (let at = hash(parent, contentId, tokens) & mask; ; at = (at + 1) & mask) {
      const node = this.table[at]! - 1
      if (node === NONE) return this.file(at, parent, contentId, depth)
      if (nodes.parentOf(node) === parent && nodes.contentOf(node) === contentId && nodes.depthOf(node) === depth)
        return node
    }
  }

  fresh(parent: number, tokens: number): number {
    this.check(parent, tokens)
    return this.nodes.add(parent, this.nodes.depthOf(parent) + tokens, undefined)
  }

  parentOf(node: number): number {
    return this.nodes.parentOf(node)
  }

  depthOf(node: number): number {
    return this.nodes.depthOf(node)
  }

  release(leaf: number, upTo: number, atSeconds: number): void {
    for (let node = leaf; node !== upTo; ) {
      const parent = this.nodes.parentOf(node)
      this.nodes.release(node, atSeconds)
      node = parent
    }
  }

  private check(parent: number, tokens: number): void {
    if (!(parent >= 0 && parent < this.nodes.length))
      throw new RangeError(`PromptTree: there is no node ${parent} among ${this.nodes.length}`)
    if (!(Number.isInteger(tokens) && tokens > 0))
      throw new RangeError(`PromptTree: a run of text has at least 1 token, found ${tokens}`)
    if (this.nodes.depthOf(parent) + tokens > 2147483647)
      throw new RangeError('PromptTree: a text is longer than 2^31 tokens')
  }

  private file(at: number, parent: number, contentId: number, depth: number): number {
    const node = this.nodes.add(parent, depth, contentId)
    this.table[at] = node + 1
    if (++this.filed * 2 > this.table.length) this.spread()
    return node
  }

  private spread(): void {
    const { nodes, table: old } = this
    this.table = new Int32Array(2 * old.length)
    const mask = this.table.length - 1
    for (const entry of old) {
      if (entry === 0) continue
      const node = entry - 1
      const parent = nodes.parentOf(node)
      let at = hash(parent, nodes.contentOf(node), nodes.depthOf(node) - nodes.depthOf(parent)) & mask
      while (this.table[at] !== 0) at = (at + 1) & mask
      this.table[at] = entry
    }
  }
}

/** An empty prompt tree: only the root, node 0. */
export const createPromptTree = (): PromptTree => new TokenRuns()
