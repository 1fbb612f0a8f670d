import { createPromptTree } from '../tokenRuns.ts'
import type { TraceRow } from './row.ts'

/** What a prefix cache could find again in a trace. */
export interface ReuseSummary {
  /** Blocks of all prompts, and those that occurred before. */
  readonly blocks: number
  readonly reusedBlocks: number
  readonly distinctBlocks: number
  readonly blockShare: number
  /**
   * Share of all prompt tokens that an endless cache has, when at most n - 1 tokens of a prompt of n may be found (the last
   * must be computed), in whole blocks of the trace: vLLM's rule.
   */
  readonly tokenShare: number
  /** Block hits of an LRU cache of so many blocks of the trace. */
  readonly lruCurve: readonly { readonly cacheBlocks: number; readonly blockShare: number }[]
}

/** Counts reuse of runs by their chain: a block counts as the same when all blocks before it were the same too. */
export class PrefixReuse {
  /** Every different chain of runs is a node of the tree; node 0 is the empty text. */
  private readonly tree = createPromptTree()
  private readonly distances = new ReuseDistances()
  private blocks = 0
  private reused = 0
  private tokens = 0
  private cachedTokens = 0

  add(row: TraceRow): void {
    this.tokens += row.inputTokens
    let node = 0
    let cached = 0
    for (let i = 0; i < row.runs; i++) {
      const before = this.tree.size
      node = this.tree.child(node, row.contents[i]!, row.runTokens[i]!)
      this.blocks++
      if (this.tree.size === before) {
        this.reused++
        const depth = this.tree.depthOf(node)
        if (depth <= row.inputTokens - 1) cached = depth
      }
      this.distances.touch(node)
    }
    this.cachedTokens += cached
  }

  /** Undefined when the trace does not say what prompts share. */
  summary(): ReuseSummary | undefined {
    if (this.blocks === 0) return undefined
    return {
      blocks: this.blocks,
      reusedBlocks: this.reused,
      distinctBlocks: this.tree.size - 1,
      blockShare: this.reused / this.blocks,
      tokenShare: this.cachedTokens / this.tokens,
      lruCurve: this.distances.curve(this.blocks),
    }
  }
}

/**
 * How many different blocks were touched since a block was touched last, for every touch: an LRU cache of c blocks hits
 * when that is below c. A Fenwick tree over the times of last touches, renumbered when full.
 */
class ReuseDistances {
  private tree = new Int32Array(1025)
  private clock = 0
  private readonly lastTouch: number[] = []
  /** Hits by power of two: distances below 2^k and not below 2^(k-1). */
  private readonly octaves: number[] = []

  touch(block: number): void {
    if (this.clock + 1 === this.tree.length) this.renumber()
    const last = this.lastTouch[block]
    if (last !== undefined) {
      const distance = this.sum(this.clock) - this.sum(last)
      const octave = distance === 0 ? 0 : 32 - Math.clz32(distance)
      this.octaves[octave] = (this.octaves[octave] ?? 0) + 1
      this.change(last, -1)
    }
    this.lastTouch[block] = ++this.clock
    this.change(this.clock, 1)
  }

  curve(touches: number): { cacheBlocks: number; blockShare: number }[] {
    let hits = 0
    return Array.from({ length: this.octaves.length }, (_, octave) => {
      hits += this.octaves[octave] ?? 0
      return { cacheBlocks: powerOfTwo(octave), blockShare: hits / touches }
    })
  }

  private sum(at: number): number {
    let sum = 0
    for (let i = at; i > 0; i -= i & -i) sum += this.tree[i]!
    return sum
  }

  private change(at: number, by: number): void {
    for (let i = at; i < this.tree.length; i += i & -i) this.tree[i]! += by
  }

  /** Gives the last touches the times 1, 2, 3 ... and makes room for as many again. */
  private renumber(): void {
    const order: { time: number; block: number }[] = []
    this.lastTouch.forEach((time, block) => {
      order.push({ time, block })
    })
    order.sort((a, b) => a.time - b.time)
    this.tree = new Int32Array(Math.max(1025, 2 * order.length + 1025))
    order.forEach(({ block }, i) => {
      this.lastTouch[block] = i + 1
      this.change(i + 1, 1)
    })
    this.clock = order.length
  }
}

const powerOfTwo = (exponent: number): number => (exponent === 0 ? 1 : 2 * powerOfTwo(exponent - 1))
