import { LoadTree } from './loadTree.ts'
import type { Choose, RouterIndex, RouterView } from './router.ts'

/** The router sees load figures of the last reading, which is taken anew when it is `seconds` old or the candidates changed. */
export const withStaleness = (choose: Choose, seconds: number): Choose => {
  if (seconds === 0) return choose
  const stale = new StaleView(seconds)
  return (request, view) => choose(request, stale.at(view))
}

/** Load as it was at the last reading. What is not load (caches, texts) is as it is now. */
class StaleView implements RouterView, RouterIndex {
  readonly #seconds: number
  #view!: RouterView
  #readAt = Number.NEGATIVE_INFINITY
  #version = Number.NaN
  #requests: number[] = []
  #tokens: number[] = []
  #waiting: number[] = []
  #kvUse: number[] = []
  #fewestRequests = 0
  #fewestTokens = 0
  #order: LoadTree | undefined
  totalRequests = 0

  constructor(seconds: number) {
    this.#seconds = seconds
  }

  at(view: RouterView): RouterView {
    this.#view = view
    if (view.version !== this.#version || view.nowSeconds - this.#readAt >= this.#seconds) this.#read(view)
    return this
  }

  get count(): number {
    return this.#view.count
  }

  get nowSeconds(): number {
    return this.#view.nowSeconds
  }

  get version(): number {
    return this.#view.version
  }

  get trace(): RouterView['trace'] {
    return this.#view.trace
  }

  get index(): RouterIndex | undefined {
    return this.#view.index === undefined ? undefined : this
  }

  replicaAt(candidate: number): number {
    return this.#view.replicaAt(candidate)
  }

  outstandingRequests(candidate: number): number {
    return this.#requests[candidate]!
  }

  outstandingTokens(candidate: number): number {
    return this.#tokens[candidate]!
  }

  waitingRequests(candidate: number): number {
    return this.#waiting[candidate]!
  }

  kvUse(candidate: number): number {
    return this.#kvUse[candidate]!
  }

  cachedTokens(candidate: number): number {
    return this.#view.cachedTokens(candidate)
  }

  prefixNode(tokens: number): number {
    return this.#view.prefixNode(tokens)
  }

  fewestRequests(): number {
    return this.#fewestRequests
  }

  fewestTokens(): number {
    return this.#fewestTokens
  }

  leastWork(weight: number): number {
    if (this.#order === undefined) {
      this.#order = new LoadTree(this.count)
      for (const [candidate, requests] of this.#requests.entries()) this.#order.set(candidate, requests)
    }
    return this.#view.index!.leastWork(weight, this.#order)
  }

  #read(view: RouterView): void {
    this.#version = view.version
    this.#readAt = view.nowSeconds
    const all = Array.from({ length: view.count }, (_, candidate) => candidate)
    this.#requests = all.map((candidate) => view.outstandingRequests(candidate))
    this.#tokens = all.map((candidate) => view.outstandingTokens(candidate))
    this.#waiting = all.map((candidate) => view.waitingRequests(candidate))
    this.#kvUse = all.map((candidate) => view.kvUse(candidate))
    this.#order = undefined
    this.totalRequests = this.#requests.reduce((sum, one) => sum + one, 0)
    this.#fewestRequests = firstOfLeast(this.#requests)
    this.#fewestTokens = firstOfLeast(this.#tokens)
  }
}

const firstOfLeast = (values: readonly number[]): number =>
  values.reduce((best, value, at) => (value < values[best]! ? at : best), 0)
