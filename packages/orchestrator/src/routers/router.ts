import type { RandomStream } from '@windtunnel/des'

/** The request that is to be routed. */
export interface RoutedRequest {
  inputTokens: number
  session: number
  tenant: number
  serviceClass: number
  /** Node of the prompt tree where its known text ends; 0 when it shares nothing. */
  prompt: number
}

/** What a router may look at: candidates are numbered 0 .. count - 1. Reading costs as said; nothing here changes the fleet. */
export interface RouterView {
  /** Replicas that take new requests, >= 1. */
  readonly count: number
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
  /** Leading tokens of this request's prompt cached there. Costs one walk up the prompt's shared runs. */
  cachedTokens(candidate: number): number
}

/** Chooses a replica. It keeps state of its own at most (a counter); chance comes from the stream it is given. */
export type Choose = (request: RoutedRequest, view: RouterView) => number

export interface Router {
  readonly name: string
  readonly description: string
  start(random: RandomStream): Choose
}

/** The candidate with the smallest score; the first of them on a tie. */
export function lowest(view: RouterView, score: (candidate: number) => number): number {
  let best = 0
  let bestScore = score(0)
  for (let candidate = 1; candidate < view.count; candidate++) {
    const here = score(candidate)
    if (here < bestScore) {
      best = candidate
      bestScore = here
    }
  }
  return best
}
