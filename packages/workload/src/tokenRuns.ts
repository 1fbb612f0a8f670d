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

/** A PromptTree on typed arrays: 20 bytes a node, and an open-addressed table of those found by content. */
class TokenRuns implements PromptTree {
  private length = 1
  private filed = 0
  private parents = new Int32Array(64)
  private depths = new Int32Array(64)
  private contents = new Float64Array(64)
  /** Node + 1 by hash; 0 is free. */
  private table = new Int32Array(128)

  get size(): number {
    return this.length
  }

  child(parent: number, contentId: number, tokens: number): number {
    this.check(parent, tokens)
    if (!Number.isSafeInteger(contentId)) throw new RangeError(`PromptTree: content ${contentId} is not a safe integer`)
    const mask = this.table.length - 1
    const depth = this.depths[parent]! + tokens
    for (let at = hash(parent, contentId, tokens) & mask; ; at = (at + 1) & mask) {
      const node = this.table[at]! - 1
      if (node === NONE) return this.file(at, parent, contentId, depth)
      if (this.parents[node] === parent && this.contents[node] === contentId && this.depths[node] === depth) return node
    }
  }

  fresh(parent: number, tokens: number): number {
    this.check(parent, tokens)
    return this.add(parent, 0, this.depths[parent]! + tokens)
  }

  parentOf(node: number): number {
    return this.parents[node]!
  }

  depthOf(node: number): number {
    return this.depths[node]!
  }

  private check(parent: number, tokens: number): void {
    if (!(parent >= 0 && parent < this.length))
      throw new RangeError(`PromptTree: there is no node ${parent} among ${this.length}`)
    if (!(Number.isInteger(tokens) && tokens > 0))
      throw new RangeError(`PromptTree: a run of text has at least 1 token, found ${tokens}`)
    if (this.depths[parent]! + tokens > 2147483647)
      throw new RangeError('PromptTree: a text is longer than 2^31 tokens')
  }

  private file(at: number, parent: number, contentId: number, depth: number): number {
    const node = this.add(parent, contentId, depth)
    this.table[at] = node + 1
    if (++this.filed * 2 > this.table.length) this.spread()
    return node
  }

  private add(parent: number, contentId: number, depth: number): number {
    const node = this.length++
    if (node === this.parents.length) this.grow()
    this.parents[node] = parent
    this.contents[node] = contentId
    this.depths[node] = depth
    return node
  }

  private grow(): void {
    const size = 2 * this.parents.length
    const parents = new Int32Array(size)
    parents.set(this.parents)
    this.parents = parents
    const depths = new Int32Array(size)
    depths.set(this.depths)
    this.depths = depths
    const contents = new Float64Array(size)
    contents.set(this.contents)
    this.contents = contents
  }

  private spread(): void {
    const old = this.table
    this.table = new Int32Array(2 * old.length)
    const mask = this.table.length - 1
    for (const entry of old) {
      if (entry === 0) continue
      const node = entry - 1
      const parent = this.parents[node]!
      let at = hash(parent, this.contents[node]!, this.depths[node]! - this.depths[parent]!) & mask
      while (this.table[at] !== 0) at = (at + 1) & mask
      this.table[at] = entry
    }
  }
}

/** An empty prompt tree: only the root, node 0. */
export const createPromptTree = (): PromptTree => new TokenRuns()
