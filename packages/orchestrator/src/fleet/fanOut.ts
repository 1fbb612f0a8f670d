import type { Ending } from '@windtunnel/workload'
import type { Observer } from '../observer.ts'

/** Tells several observers the same facts, in the order in which they joined. */
export class FanOut implements Observer {
  #all: Observer[]

  constructor(all: Observer[]) {
    this.#all = all
  }

  arrived(
    request: number,
    time: number,
    inputTokens: number,
    outputTokens: number,
    serviceClass: number,
    tenant: number,
  ): void {
    for (const one of this.#all) one.arrived(request, time, inputTokens, outputTokens, serviceClass, tenant)
  }

  routed(request: number, time: number, replica: number): void {
    for (const one of this.#all) one.routed(request, time, replica)
  }

  admitted(
    request: number,
    time: number,
    replica: number,
    cachedTokens: number,
    queriedTokens: number,
    preemptions: number,
  ): void {
    for (const one of this.#all) one.admitted(request, time, replica, cachedTokens, queriedTokens, preemptions)
  }

  prefillChunk(request: number, time: number, replica: number, tokens: number, context: number): void {
    for (const one of this.#all) one.prefillChunk(request, time, replica, tokens, context)
  }

  firstToken(request: number, time: number): void {
    for (const one of this.#all) one.firstToken(request, time)
  }

  decodeRun(
    replica: number,
    time: number,
    steps: number,
    sequences: number,
    firstGapTicks: number,
    gapGrowthTicks: number,
  ): void {
    for (const one of this.#all) one.decodeRun(replica, time, steps, sequences, firstGapTicks, gapGrowthTicks)
  }

  tokenGap(request: number, time: number, gapTicks: number): void {
    for (const one of this.#all) one.tokenGap(request, time, gapTicks)
  }

  preempted(request: number, time: number, replica: number, computedTokens: number): void {
    for (const one of this.#all) one.preempted(request, time, replica, computedTokens)
  }

  transferStarted(request: number, time: number, from: number, to: number, bytes: number): void {
    for (const one of this.#all) one.transferStarted(request, time, from, to, bytes)
  }

  transferred(request: number, time: number, from: number, to: number): void {
    for (const one of this.#all) one.transferred(request, time, from, to)
  }

  evicted(replica: number, time: number, blocks: number): void {
    for (const one of this.#all) one.evicted(replica, time, blocks)
  }

  ended(request: number, time: number, ending: Ending, outputTokens: number, reason: string): void {
    for (const one of this.#all) one.ended(request, time, ending, outputTokens, reason)
  }

  stepped(
    replica: number,
    start: number,
    end: number,
    steps: number,
    sequences: number,
    prefillTokens: number,
    contextTokens: number,
  ): void {
    for (const one of this.#all) one.stepped(replica, start, end, steps, sequences, prefillTokens, contextTokens)
  }
}
