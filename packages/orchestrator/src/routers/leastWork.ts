import type { LoadTree } from './loadTree.ts'

/** What the search for the least work needs to know of prefix caches. */
export interface CacheKnowledge {
  readonly inputTokens: number
  /** Nodes of the prompt's path, deepest first, with the tokens up to their ends. */
  readonly path: readonly number[]
  readonly depths: readonly number[]
  /** Replicas that may hold some of a node: all that do, and some that do no longer. */
  holdersOf(node: number): readonly number[]
  /** Candidate by replica; undefined or -1 for one that takes no requests. */
  readonly placeOf: readonly number[]
  /** What is really cached. */
  cachedTokens(candidate: number): number
}

/** Beyond so many holders of one node, candidates are looked at in order of load instead. */
const MANY_HOLDERS = 256

/**
 * Finds the candidate with the smallest `input - cached + weight * load`, the first of equals: exactly that of a scan. Looks
 * at holders from the deepest run of text upwards, then at the others in order of load; whoever could not win even with all
 * that it may have cached is passed over.
 */
export class LeastWork {
  private best = 0
  private bestScore = 0

  find(caches: CacheKnowledge, loads: LoadTree, weight: number): number {
    const { inputTokens, path, depths } = caches
    // The least loaded as if it had nothing cached: if it has, it is among the holders.
    this.best = loads.least
    this.bestScore = inputTokens + weight * loads.loads[this.best]!
    for (let i = 0; i < path.length; i++) {
      const holders = caches.holdersOf(path[i]!)
      // Nobody who was not looked at yet has more of the prompt than this node's end.
      if (holders.length > MANY_HOLDERS) return this.findByLoad(caches, loads, weight, depths[i]!)
      if (holders.length > 0) this.findAmong(holders, caches, loads, weight, depths[i]!)
    }
    return this.best
  }

  /** Looks at the least loaded holder first, so that most of the others need no look into their caches. */
  private findAmong(
    holders: readonly number[],
    caches: CacheKnowledge,
    loads: LoadTree,
    weight: number,
    most: number,
  ): void {
    const { placeOf } = caches
    let least = -1
    for (const replica of holders) {
      const candidate = placeOf[replica] ?? -1
      if (candidate >= 0 && (least < 0 || loads.isBefore(candidate, least))) least = candidate
    }
    if (least < 0 || !this.look(caches, loads, weight, least, most)) return
    for (const replica of holders) {
      const candidate = placeOf[replica] ?? -1
      if (candidate >= 0 && candidate !== least) this.look(caches, loads, weight, candidate, most)
    }
  }

  private findByLoad(caches: CacheKnowledge, loads: LoadTree, weight: number, most: number): number {
    loads.restart()
    for (let candidate = loads.next(); candidate >= 0; candidate = loads.next())
      if (!this.look(caches, loads, weight, candidate, most)) break
    return this.best
  }

  /** Looks at a candidate with at most `most` tokens cached; false when it could not win even with all of them. */
  private look(caches: CacheKnowledge, loads: LoadTree, weight: number, candidate: number, most: number): boolean {
    const work = weight * loads.loads[candidate]!
    if (!this.wins(caches.inputTokens - most + work, candidate)) return false
    const score = caches.inputTokens - caches.cachedTokens(candidate) + work
    if (this.wins(score, candidate)) {
      this.best = candidate
      this.bestScore = score
    }
    return true
  }

  private wins(score: number, candidate: number): boolean {
    return score < this.bestScore || (score === this.bestScore && candidate < this.best)
  }
}
