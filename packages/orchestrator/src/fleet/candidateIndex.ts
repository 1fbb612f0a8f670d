import type { PromptTree } from '@windtunnel/workload'
import { emptied } from '../emptied.ts'
import { CacheHolders } from '../kv/cacheHolders.ts'
import { lowest, type RouterIndex } from '../routers/index.ts'
import { type CacheKnowledge, LeastWork } from '../routers/leastWork.ts'
import { LoadTree } from '../routers/loadTree.ts'
import type { Candidates } from './candidates.ts'
import type { Replica } from './replica.ts'

/** Below this weight loads may drown in the rounding of the scores, and their order is not that of the scores. */
const LEAST_WEIGHT = 1e-3

/** Loads and cached text of the candidates, kept up to date, so that a router of a large fleet need not look at all of them. */
export class CandidateIndex implements RouterIndex, CacheKnowledge {
  readonly path: number[] = []
  readonly depths: number[] = []
  /** Candidate number by replica; -1 for a replica that takes no requests. */
  readonly placeOf: number[] = []
  inputTokens = 0
  private readonly candidates: Candidates
  private readonly eligible: readonly Replica[]
  private readonly tree: PromptTree
  private readonly search = new LeastWork()
  private requests: LoadTree | undefined
  private tokens: LoadTree | undefined
  private holders: CacheHolders | undefined
  private readonly told: Set<number>
  /** Whether every engine tells what it caches. */
  private readonly complete: boolean

  constructor(candidates: Candidates, eligible: readonly Replica[], tree: PromptTree, before?: CandidateIndex) {
    this.candidates = candidates
    this.eligible = eligible
    this.tree = tree
    this.complete = eligible.every((replica) => replica.engine.tellHolders !== undefined)
    this.holders = before === undefined ? undefined : before.holders
    this.told = before === undefined ? new Set() : before.told
    for (const [candidate, replica] of eligible.entries()) {
      while (this.placeOf.length < replica.index) this.placeOf.push(-1)
      this.placeOf[replica.index] = candidate
      replica.candidate = candidate
    }
    if (this.holders !== undefined) this.listenToCaches(this.holders)
  }

  /** The index of another set of candidates. */
  renewed(eligible: readonly Replica[]): CandidateIndex {
    for (const replica of this.eligible) replica.requestLoads = replica.tokenLoads = undefined
    return new CandidateIndex(this.candidates, eligible, this.tree, this)
  }

  get totalRequests(): number {
    return this.byRequests().total
  }

  fewestRequests(): number {
    return this.byRequests().least
  }

  fewestTokens(): number {
    return this.byTokens().least
  }

  leastWork(weight: number, loads: LoadTree = this.byRequests()): number {
    if (!this.complete || weight < LEAST_WEIGHT) return this.scan(weight, loads)
    if (this.holders === undefined) {
      this.holders = new CacheHolders()
      this.listenToCaches(this.holders)
    }
    this.inputTokens = this.candidates.request.inputTokens
    emptied(this.path)
    emptied(this.depths)
    for (let node = this.candidates.request.prompt; node !== 0; node = this.tree.parentOf(node)) {
      this.path.push(node)
      this.depths.push(this.tree.depthOf(node))
    }
    return this.search.find(this, loads, weight)
  }

  /** For engines that do not tell what they cache, and for weights that hardly count. */
  private scan(weight: number, { loads }: LoadTree): number {
    const candidates = this.candidates
    const { inputTokens } = candidates.request
    return lowest(candidates, (one) => inputTokens - candidates.cachedTokens(one) + weight * loads[one]!)
  }

  holdersOf(node: number): readonly number[] {
    return this.holders!.of(node)
  }

  cachedTokens(candidate: number): number {
    return this.candidates.cachedTokens(candidate)
  }

  private byRequests(): LoadTree {
    this.requests ??= this.filled((replica, tree) => {
      replica.requestLoads = tree
      return replica.outstandingRequests
    })
    return this.requests
  }

  private byTokens(): LoadTree {
    this.tokens ??= this.filled((replica, tree) => {
      replica.tokenLoads = tree
      return replica.outstandingTokens
    })
    return this.tokens
  }

  /** A tree of the loads of all; `keep` lets a replica keep it up to date from now on, and says its load. */
  private filled(keep: (replica: Replica, tree: LoadTree) => number): LoadTree {
    const tree = new LoadTree(this.eligible.length)
    for (const replica of this.eligible) tree.set(replica.candidate, keep(replica, tree))
    return tree
  }

  private listenToCaches(holders: CacheHolders): void {
    for (const { index, engine } of this.eligible) {
      if (this.told.has(index)) continue
      this.told.add(index)
      engine.tellHolders?.(holders)
    }
  }
}
