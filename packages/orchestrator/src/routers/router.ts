import type { RandomStream } from '@windtunnel/des'
import type { Options } from '@windtunnel/workload/parts'
import type { DecisionTrace } from './decision.ts'
import type { LoadTree } from './loadTree.ts'

/** The request that is to be routed. */
export interface RoutedRequest {
  readonly inputTokens: number
  /** Conversation or user session; 0 when none. */
  readonly session: number
  readonly tenant: number
  readonly serviceClass: number
  /** Node of the prompt tree where its known text ends; 0 when it shares nothing. */
  readonly prompt: number
}

/** What a router may look at: candidates are numbered 0 .. count - 1. Reading costs as said; nothing here changes the fleet. */
export interface RouterView {
  /** Replicas that take new requests, >= 1. */
  readonly count: number
  /** Virtual time, seconds. */
  readonly nowSeconds: number
  /** Another number whenever the candidates are not the same as before. */
  readonly version: number
  /** Stable number of the replica in the fleet, for hashing. */
  replicaAt(candidate: number): number
  /** Requests routed there and not ended. O(1). */
  outstandingRequests(candidate: number): number
  /** Prompt and output tokens of those requests still to be computed, as far as clients allow. O(1). */
  outstandingTokens(candidate: number): number
  /** Requests in the engine's queue. O(1). */
  waitingRequests(candidate: number): number
  /** Share of KV blocks in use, 0 to 1. O(1). */
  kvUse(candidate: number): number
  /** Leading tokens of this request's prompt cached there, as far as its events have arrived. Costs one walk up the prompt's shared runs. */
  cachedTokens(candidate: number): number
  /** Node of the prompt tree that holds token `tokens` of this prompt, or its last known one; 0 when it shares nothing. */
  prefixNode(tokens: number): number
  /** Answers that need not look at every candidate; absent where the fleet keeps none. They are those of a scan, always. */
  readonly index?: RouterIndex | undefined
  /** Where a router says why, when somebody wants to know. */
  readonly trace?: DecisionTrace | undefined
}

/** The same answers as a scan of all candidates, for large fleets. */
export interface RouterIndex {
  /** Requests outstanding on all candidates. */
  readonly totalRequests: number
  /** The candidate with the fewest outstanding requests; the first of equals. */
  fewestRequests(): number
  /** The candidate with the fewest outstanding tokens; the first of equals. */
  fewestTokens(): number
  /**
   * The candidate with the smallest `prompt tokens - cached tokens + weight * outstanding requests`; the first of equals.
   * `loads` are the outstanding requests to go by; those of now when absent.
   */
  leastWork(weight: number, loads?: LoadTree): number
}

/** Chooses a replica. It keeps state of its own at most (a counter); chance comes from the stream it is given. */
export type Choose = (request: RoutedRequest, view: RouterView) => number

/** Values of a router's options by name; what is left out has its default. */
export type RouterValues = Readonly<Record<string, unknown>>

export interface Router {
  readonly name: string
  readonly description: string
  /** What can be set, for the scenario file and its reference. */
  readonly options?: Options
  /** Seconds until events of prefix caches arrive at this router, 0 when absent. */
  readonly cacheDelaySeconds?: number
  /** `values` may lack any option: its default counts. Throws an OptionError for a value that cannot be. */
  start(random: RandomStream, values?: RouterValues): Choose
}

/** The candidate with the smallest score; the first of them on a tie. */
export const lowest = (view: RouterView, score: (candidate: number) => number): number => {
  const { trace } = view
  let best = 0
  let bestScore = Number.POSITIVE_INFINITY
  for (let candidate = 0; candidate < view.count; candidate++) {
    const here = score(candidate)
    trace?.scored(candidate, here)
    if (candidate === 0 || here < bestScore) {
      best = candidate
      bestScore = here
    }
  }
  return best
}

/** The candidate with the fewest outstanding requests; the first of them on a tie. */
export const fewestRequests = (view: RouterView): number =>
  view.index?.fewestRequests() ?? lowest(view, (candidate) => view.outstandingRequests(candidate))
