import type { Time } from '@windtunnel/des'
import type { PromptTree } from './promptTree.ts'
import type { RequestDraft } from './request.ts'
import type { MixChange, TrafficMix } from './sources/mix.ts'

/** How a request ended. Every arrived request ends in exactly one way, or is unfinished when the run stops. */
export type Ending = 'completed' | 'rejected' | 'failed' | 'cancelled' | 'timedOut'

/**
 * Traffic as an ordered stream of requests, with feedback for closed loops, sessions and agents. The simulation peeks at
 * the earliest arrival known now and takes it only when virtual time reaches it, because an ending may create an earlier one.
 */
export interface RequestSource {
  /** What the prompts of this traffic share. */
  readonly tree: PromptTree
  /** Writes the earliest arrival known now into `into`; false when none is known (a closed loop may have one later). */
  peek(into: Time): boolean
  /** Fills `into` with the request just peeked at, and moves on. Arrivals never go back in time. */
  take(into: RequestDraft): void
  /** True where endings change nothing of what is to come, so that nobody need tell of them; absent is false. */
  readonly open?: boolean
  /** Tells that the request with `tag` ended at `time`. A new arrival it causes is never before `time`. */
  ended(tag: number, ending: Ending, time: Time): void
}

/** A source whose arrival rate can be changed while it runs (live steering). */
export interface SteerableSource extends RequestSource {
  /**
   * New mean rate in requests per second (>= 0) from virtual time `now` on: the wait left to the next arrival shrinks or
   * grows with it. Throws CannotSteer for traffic that has no rate (closed loops, batches).
   */
  setRate(requestsPerSecond: number, now: Time): void
}

/** A source whose mix can be changed while it runs: shares of its streams, and lengths. */
export interface MixableSource extends SteerableSource {
  readonly mix: TrafficMix
  /**
   * Changes the mix from virtual time `now` on. All arrivals together keep their rate; a stream whose rate stays keeps its
   * arrivals and its draws. Throws CannotSteer or UnknownPart, and changes nothing, when it cannot.
   */
  setMix(change: MixChange, now: Time): void
}
