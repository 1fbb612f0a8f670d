import type { Ending } from '@windtunnel/workload'
import { type Observer, SilentObserver } from '../observer.ts'

const silent = new SilentObserver()

/**
 * Tells several observers the same facts, in the order in which they joined. The first three have places of their own, so
 * that each call site meets one class only and can be inlined; more of them stand behind the last place.
 */
export class FanOut implements Observer {
  private readonly first: Observer
  private readonly second: Observer
  private readonly third: Observer
  private readonly rest: Observer

  constructor(all: readonly Observer[]) {
    this.first = all[0] ?? silent
    this.second = all[1] ?? silent
    this.third = all[2] ?? silent
    this.rest = all.length > 4 ? new FanOut(all.slice(3)) : (all[3] ?? silent)
  }

  arrived(
    request: number,
    time: number,
    inputTokens: number,
    outputTokens: number,
    serviceClass: number,
    tenant: number,
  ): void {
    this.first.arrived(request, time, inputTokens, outputTokens, serviceClass, tenant)
    this.second.arrived(request, time, inputTokens, outputTokens, serviceClass, tenant)
    this.third.arrived(request, time, inputTokens, outputTokens, serviceClass, tenant)
    this.rest.arrived(request, time, inputTokens, outputTokens, serviceClass, tenant)
  }

  routed(request: number, time: number, replica: number): void {
    this.first.routed(request, time, replica)
    this.second.routed(request, time, replica)
    this.third.routed(request, time, replica)
    this.rest.routed(request, time, replica)
  }

  admitted(
    request: number,
    time: number,
    replica: number,
    cachedTokens: number,
    queriedTokens: number,
    preemptions: number,
  ): void {
    this.first.admitted(request, time, replica, cachedTokens, queriedTokens, preemptions)
    this.second.admitted(request, time, replica, cachedTokens, queriedTokens, preemptions)
    this.third.admitted(request, time, replica, cachedTokens, queriedTokens, preemptions)
    this.rest.admitted(request, time, replica, cachedTokens, queriedTokens, preemptions)
  }

  prefillChunk(request: number, time: number, replica: number, tokens: number, context: number): void {
    this.first.prefillChunk(request, time, replica, tokens, context)
    this.second.prefillChunk(request, time, replica, tokens, context)
    this.third.prefillChunk(request, time, replica, tokens, context)
    this.rest.prefillChunk(request, time, replica, tokens, context)
  }

  firstToken(request: number, time: number): void {
    this.first.firstToken(request, time)
    this.second.firstToken(request, time)
    this.third.firstToken(request, time)
    this.rest.firstToken(request, time)
  }

  decodeRun(
    replica: number,
    time: number,
    steps: number,
    sequences: number,
    firstGapTicks: number,
    gapGrowthTicks: number,
  ): void {
    this.first.decodeRun(replica, time, steps, sequences, firstGapTicks, gapGrowthTicks)
    this.second.decodeRun(replica, time, steps, sequences, firstGapTicks, gapGrowthTicks)
    this.third.decodeRun(replica, time, steps, sequences, firstGapTicks, gapGrowthTicks)
    this.rest.decodeRun(replica, time, steps, sequences, firstGapTicks, gapGrowthTicks)
  }

  tokenGap(request: number, time: number, gapTicks: number): void {
    this.first.tokenGap(request, time, gapTicks)
    this.second.tokenGap(request, time, gapTicks)
    this.third.tokenGap(request, time, gapTicks)
    this.rest.tokenGap(request, time, gapTicks)
  }

  preempted(request: number, time: number, replica: number, computedTokens: number): void {
    this.first.preempted(request, time, replica, computedTokens)
    this.second.preempted(request, time, replica, computedTokens)
    this.third.preempted(request, time, replica, computedTokens)
    this.rest.preempted(request, time, replica, computedTokens)
  }

  transferStarted(request: number, time: number, from: number, to: number, bytes: number): void {
    this.first.transferStarted(request, time, from, to, bytes)
    this.second.transferStarted(request, time, from, to, bytes)
    this.third.transferStarted(request, time, from, to, bytes)
    this.rest.transferStarted(request, time, from, to, bytes)
  }

  transferred(request: number, time: number, from: number, to: number): void {
    this.first.transferred(request, time, from, to)
    this.second.transferred(request, time, from, to)
    this.third.transferred(request, time, from, to)
    this.rest.transferred(request, time, from, to)
  }

  evicted(replica: number, time: number, blocks: number): void {
    this.first.evicted(replica, time, blocks)
    this.second.evicted(replica, time, blocks)
    this.third.evicted(replica, time, blocks)
    this.rest.evicted(replica, time, blocks)
  }

  ended(request: number, time: number, ending: Ending, outputTokens: number, reason: string): void {
    this.first.ended(request, time, ending, outputTokens, reason)
    this.second.ended(request, time, ending, outputTokens, reason)
    this.third.ended(request, time, ending, outputTokens, reason)
    this.rest.ended(request, time, ending, outputTokens, reason)
  }

  stepped(
    replica: number,
    start: number,
    end: number,
    steps: number,
    sequences: number,
    prefillTokens: number,
    contextTokens: number,
    contextGrowth: number,
  ): void {
    this.first.stepped(replica, start, end, steps, sequences, prefillTokens, contextTokens, contextGrowth)
    this.second.stepped(replica, start, end, steps, sequences, prefillTokens, contextTokens, contextGrowth)
    this.third.stepped(replica, start, end, steps, sequences, prefillTokens, contextTokens, contextGrowth)
    this.rest.stepped(replica, start, end, steps, sequences, prefillTokens, contextTokens, contextGrowth)
  }
}
