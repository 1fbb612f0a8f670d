import { type Time, toSeconds } from '@windtunnel/des'
import type { PromptTree } from '@windtunnel/workload'
import type { RequestTable } from '../requests.ts'
import { type DecisionListener, DecisionTrace } from '../routers/decision.ts'
import type { Choose, Router, RouterIndex, RouterView } from '../routers/index.ts'
import type { ReplicaRole } from '../simulation.ts'
import { CandidateIndex } from './candidateIndex.ts'
import { LiveRequest } from './liveRequest.ts'
import type { Replica } from './replica.ts'

/** The replicas that may take a request at one stage, as a router sees them. */
export class Candidates implements RouterView {
  /** The clock of the fleet. */
  readonly now: Time
  readonly request: LiveRequest
  version = 0
  trace: DecisionTrace | undefined
  private listener: DecisionListener | undefined
  private readonly role: ReplicaRole
  private readonly replicas: readonly Replica[]
  private readonly tree: PromptTree
  private eligible: Replica[] = []
  private shortcuts: CandidateIndex
  private cacheDelaySeconds = 0

  constructor(replicas: readonly Replica[], role: ReplicaRole, tree: PromptTree, table: RequestTable, now: Time) {
    this.now = now
    this.request = new LiveRequest(table)
    this.replicas = replicas
    this.role = role
    this.tree = tree
    this.shortcuts = new CandidateIndex(this, [], tree)
  }

  /** To be called whenever a replica is added or changes its state. */
  refresh(): void {
    this.eligible = this.replicas.filter((replica) => replica.takesRequests && replica.pool.role === this.role)
    this.version += 1
    this.shortcuts = this.shortcuts.renewed(this.eligible)
    this.delayCaches()
  }

  /** To be called before `refresh` when an engine was replaced by an empty one. */
  forgetCaches(): void {
    this.shortcuts = this.shortcuts.renewed([])
    this.shortcuts = new CandidateIndex(this, [], this.tree)
  }

  /** To be called when a router takes over: its cache events have their own delay. */
  servedBy(router: Router): void {
    const { cacheDelaySeconds = 0 } = router
    if (cacheDelaySeconds === this.cacheDelaySeconds) return
    this.cacheDelaySeconds = cacheDelaySeconds
    this.delayCaches()
  }

  /** Tells every decision from now on. */
  listen(listener: DecisionListener): void {
    this.listener = listener
  }

  /** Lets the router choose for the request in `slot`. Throws when it chooses nobody. */
  choose(choose: Choose, slot: number): Replica {
    this.request.slot = slot
    this.trace = this.listener === undefined ? undefined : new DecisionTrace()
    const chosen = choose(this.request, this)
    const replica = this.eligible[chosen]
    if (replica === undefined)
      throw new Error(`the router chose candidate ${chosen}, expected an integer from 0 to ${this.count - 1}`)
    if (this.trace !== undefined) this.tell(this.trace, this.request.id, replica)
    return replica
  }

  get count(): number {
    return this.eligible.length
  }

  get nowSeconds(): number {
    return toSeconds(this.now)
  }

  /** A trace wants the scores of all candidates, so there is no short cut then. */
  get index(): RouterIndex | undefined {
    return this.trace === undefined ? this.shortcuts : undefined
  }

  at(candidate: number): Replica {
    return this.eligible[candidate]!
  }

  replicaAt(candidate: number): number {
    return this.eligible[candidate]!.index
  }

  outstandingRequests(candidate: number): number {
    return this.eligible[candidate]!.outstandingRequests
  }

  outstandingTokens(candidate: number): number {
    return this.eligible[candidate]!.outstandingTokens
  }

  waitingRequests(candidate: number): number {
    return this.eligible[candidate]!.engine.waiting
  }

  kvUse(candidate: number): number {
    const { engine } = this.eligible[candidate]!
    // Engines advance when they must; looking at the context brings their sums up to now.
    engine.contextTokensAt(this.now)
    return engine.usedBlocks / engine.totalBlocks
  }

  cachedTokens(candidate: number): number {
    const { prompt, inputTokens } = this.request
    return prompt === 0 ? 0 : this.eligible[candidate]!.engine.cachedTokens(prompt, inputTokens, this.now)
  }

  prefixNode(tokens: number): number {
    let node = this.request.prompt
    for (let parent = this.tree.parentOf(node); node !== 0 && this.tree.depthOf(parent) >= tokens; ) {
      node = parent
      parent = this.tree.parentOf(node)
    }
    return node
  }

  private delayCaches(): void {
    const seconds = this.cacheDelaySeconds
    for (const { pool, engine } of this.replicas) {
      if (pool.role !== this.role) continue
      if (seconds > 0 && engine.delayCacheEvents === undefined && engine.tellHolders !== undefined)
        throw new Error(`the engine of pool ${pool.name} tells of its cache at once: eventDelaySeconds must be 0`)
      engine.delayCacheEvents?.(seconds)
    }
  }

  private tell(trace: DecisionTrace, request: number, replica: Replica): void {
    this.listener!({
      request,
      time: this.nowSeconds,
      role: this.role,
      replica: replica.index,
      reason: trace.reason,
      scores: trace.scores.map(([candidate, score]) => [this.replicaAt(candidate), score]),
    })
  }
}
