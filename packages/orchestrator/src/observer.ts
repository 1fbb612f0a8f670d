import type { Ending } from '@windtunnel/workload'

/**
 * What happened, told with plain numbers: no object per token. Times are virtual seconds (exact below 512 s, one rounding
 * beyond), durations are ticks of 2^-44 s, `request` is the number given at arrival (0, 1, 2 ...), `replica` its index in
 * the fleet. An observer never changes the outcome. Extend `SilentObserver` and override what you need.
 */
export interface Observer {
  arrived(
    request: number,
    time: number,
    inputTokens: number,
    outputTokens: number,
    serviceClass: number,
    tenant: number,
  ): void
  /** The router chose `replica`; in a disaggregated layout it is told once per pool. */
  routed(request: number, time: number, replica: number): void
  /** First scheduled (`preemptions` = 0) or scheduled again; `cachedTokens` of `queriedTokens` were found in the prefix cache. */
  admitted(
    request: number,
    time: number,
    replica: number,
    cachedTokens: number,
    queriedTokens: number,
    preemptions: number,
  ): void
  /** A step starting at `time` computes `tokens` of the prompt after `context` earlier ones. */
  prefillChunk(request: number, time: number, replica: number, tokens: number, context: number): void
  /** The first output token left the engine: once per request, and again when its answer starts over after an outage. */
  firstToken(request: number, time: number): void
  /**
   * From `time` on, `steps` steps in which each of `sequences` sequences got one token: step j (0, 1 ...) closed gaps of
   * `firstGapTicks + j * gapGrowthTicks` ticks.
   */
  decodeRun(
    replica: number,
    time: number,
    steps: number,
    sequences: number,
    firstGapTicks: number,
    gapGrowthTicks: number,
  ): void
  /** One gap of one request that is not a step long: after a preemption, a starved step or a transfer. It ended at `time`. */
  tokenGap(request: number, time: number, gapTicks: number): void
  preempted(request: number, time: number, replica: number, computedTokens: number): void
  transferStarted(request: number, time: number, from: number, to: number, bytes: number): void
  transferred(request: number, time: number, from: number, to: number): void
  evicted(replica: number, time: number, blocks: number): void
  /** The one ending of the request. `outputTokens` were delivered; `reason` is a short sentence except for completed. */
  ended(request: number, time: number, ending: Ending, outputTokens: number, reason: string): void
  /**
   * A replica ran `steps` steps from `start` to `end` (seconds), each with `sequences` decoding and `prefillTokens` of
   * prompts; `contextTokens` is the context sum of the first one, and each further one has `contextGrowth` tokens more.
   */
  stepped(
    replica: number,
    start: number,
    end: number,
    steps: number,
    sequences: number,
    prefillTokens: number,
    contextTokens: number,
    contextGrowth: number,
  ): void
}

/** Does nothing, so that an observer says only what it is interested in. */
export class SilentObserver implements Observer {
  arrived(
    _request: number,
    _time: number,
    _inputTokens: number,
    _outputTokens: number,
    _serviceClass: number,
    _tenant: number,
  ): void {}
  routed(_request: number, _time: number, _replica: number): void {}
  admitted(
    _request: number,
    _time: number,
    _replica: number,
    _cachedTokens: number,
    _queriedTokens: number,
    _preemptions: number,
  ): void {}
  prefillChunk(_request: number, _time: number, _replica: number, _tokens: number, _context: number): void {}
  firstToken(_request: number, _time: number): void {}
  decodeRun(
    _replica: number,
    _time: number,
    _steps: number,
    _sequences: number,
    _firstGapTicks: number,
    _gapGrowthTicks: number,
  ): void {}
  tokenGap(_request: number, _time: number, _gapTicks: number): void {}
  preempted(_request: number, _time: number, _replica: number, _computedTokens: number): void {}
  transferStarted(_request: number, _time: number, _from: number, _to: number, _bytes: number): void {}
  transferred(_request: number, _time: number, _from: number, _to: number): void {}
  evicted(_replica: number, _time: number, _blocks: number): void {}
  ended(_request: number, _time: number, _ending: Ending, _outputTokens: number, _reason: string): void {}
  stepped(
    _replica: number,
    _start: number,
    _end: number,
    _steps: number,
    _sequences: number,
    _prefillTokens: number,
    _contextTokens: number,
    _contextGrowth: number,
  ): void {}
}

/** Where facts go, and whether anybody listens to those that come with every step: what nobody hears need not be told. */
export interface Facts {
  observer: Observer
  steps: boolean
  chunks: boolean
}

/** Whether `observer` does something about a kind of fact. */
export const hears = (observer: Observer, fact: keyof Observer): boolean =>
  observer[fact] !== SilentObserver.prototype[fact]
