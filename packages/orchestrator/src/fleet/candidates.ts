import type { Time } from '@windtunnel/des'
import type { RoutedRequest, RouterView } from '../routers/index.ts'
import type { ReplicaRole } from '../simulation.ts'
import type { Replica } from './replica.ts'

/** The replicas that may take a request at one stage, as a router sees them. */
export class Candidates implements RouterView {
  readonly now: Time = { seconds: 0, ticks: 0 }
  request: RoutedRequest = { inputTokens: 0, session: 0, tenant: 0, serviceClass: 0, prompt: 0 }
  #role: ReplicaRole
  #replicas: readonly Replica[]
  #eligible: Replica[] = []

  constructor(replicas: readonly Replica[], role: ReplicaRole) {
    this.#replicas = replicas
    this.#role = role
  }

  /** To be called whenever a replica is added or changes its state. */
  refresh(): void {
    this.#eligible = this.#replicas.filter((replica) => replica.takesRequests && replica.pool.role === this.#role)
  }

  get count(): number {
    return this.#eligible.length
  }

  at(candidate: number): Replica {
    return this.#eligible[candidate]!
  }

  replicaAt(candidate: number): number {
    return this.#eligible[candidate]!.index
  }

  outstandingRequests(candidate: number): number {
    return this.#eligible[candidate]!.outstandingRequests
  }

  outstandingTokens(candidate: number): number {
    return this.#eligible[candidate]!.outstandingTokens
  }

  waitingRequests(candidate: number): number {
    return this.#eligible[candidate]!.engine.waiting
  }

  kvUse(candidate: number): number {
    const { engine } = this.#eligible[candidate]!
    return engine.usedBlocks / engine.totalBlocks
  }

  cachedTokens(candidate: number): number {
    const { prompt, inputTokens } = this.request
    return prompt === 0 ? 0 : this.#eligible[candidate]!.engine.cachedTokens(prompt, inputTokens, this.now)
  }
}
