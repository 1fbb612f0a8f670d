import type { LoadTree } from './loadTree.ts'

/** What the search for the least work needs to know of prefix caches. */
export interface CacheKnowledge {
  readonly inputTokens: number
  /** Nodes of the prompt's path, deepest first, with the tokens up to their ends. */
  readonly path: readonly number[]
  readonly depths: readonly number[]
  /** Candidates that may hold some of a node: all that do, and some that do no longer. */
  countOf(node: number): number
  /** Candidate `at` of them; -1 where it takes no requests. */
  holder(node: number, at: number): number
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
  #best = 0
  #bestScore = 0

  find(caches: CacheKnowledge, loads: LoadTree, weight: number): number {
    const { inputTokens, path, depths } = caches
    this.#best = loads.least
    this.#bestScore = inputTokens - caches.cachedTokens(this.#best) + weight * loads.loads[this.#best]!
    for (let i = 0; i < path.length; i++) {
      const holders = caches.countOf(path[i]!)
      // Nobody who was not looked at yet has more of the prompt than this node's end.
      if (holders > MANY_HOLDERS) return this.#findByLoad(caches, loads, weight, depths[i]!)
      for (let at = 0; at < holders; at++) {
        const candidate = caches.holder(path[i]!, at)
        if (candidate >= 0) this.#look(caches, loads, weight, candidate, depths[i]!)
      }
    }
    return this.#best
  }

  #findByLoad(caches: CacheKnowledge, loads: LoadTree, weight: number, most: number): number {
    loads.restart()
    for (let candidate = loads.next(); candidate >= 0; candidate = loads.next())
      if (!this.#look(caches, loads, weight, candidate, most)) break
    return this.#best
  }

  /** Looks at a candidate with at most `most` tokens cached; false when it could not win even with all of them. */
  #look(caches: CacheKnowledge, loads: LoadTree, weight: number, candidate: number, most: number): boolean {
    const work = weight * loads.loads[candidate]!
    if (!this.#wins(caches.inputTokens - most + work, candidate)) return false
    const score = caches.inputTokens - caches.cachedTokens(candidate) + work
    if (this.#wins(score, candidate)) {
      this.#best = candidate
      this.#bestScore = score
    }
    return true
  }

  #wins(score: number, candidate: number): boolean {
    return score < this.#bestScore || (score === this.#bestScore && candidate < this.#best)
  }
}
