import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '../facts/ending.ts'
import type { FactsHash } from '../facts/factsHash.ts'
import type { RequestLedger } from '../timeline/requestLedger.ts'
import type { SummaryObserver } from './summaryObserver.ts'

/**
 * Tells the three that every run has what each of them hears, and nothing else. One observer in their place: each call
 * meets one class only and can be inlined, so a fact costs one call, not one for each of them.
 */
export class RunFacts extends SilentObserver {
  private readonly hash: FactsHash
  private readonly ledger: RequestLedger
  private readonly summary: SummaryObserver

  constructor(hash: FactsHash, ledger: RequestLedger, summary: SummaryObserver) {
    super()
    this.hash = hash
    this.ledger = ledger
    this.summary = summary
  }

  override arrived(
    request: number,
    time: number,
    inputTokens: number,
    outputTokens: number,
    serviceClass: number,
    tenant: number,
  ): void {
    this.hash.arrived(request, time, inputTokens, outputTokens, serviceClass, tenant)
    this.ledger.arrived(request, time, inputTokens, outputTokens, serviceClass, tenant)
    this.summary.arrived()
  }

  override routed(request: number, time: number, replica: number): void {
    this.hash.routed(request, time, replica)
  }

  override admitted(
    request: number,
    time: number,
    replica: number,
    cachedTokens: number,
    queriedTokens: number,
    preemptions: number,
  ): void {
    this.hash.admitted(request, time, replica, cachedTokens, queriedTokens, preemptions)
    this.ledger.admitted(request, time, replica, cachedTokens)
    this.summary.admitted(request, time, replica, cachedTokens, queriedTokens, preemptions)
  }

  override firstToken(request: number, time: number): void {
    this.hash.firstToken(request, time)
    this.ledger.firstToken(request, time)
    this.summary.firstToken(request, time)
  }

  override decodeRun(
    replica: number,
    time: number,
    steps: number,
    sequences: number,
    firstGapTicks: number,
    gapGrowthTicks: number,
  ): void {
    this.summary.decodeRun(replica, time, steps, sequences, firstGapTicks, gapGrowthTicks)
  }

  override tokenGap(request: number, time: number, gapTicks: number): void {
    this.summary.tokenGap(request, time, gapTicks)
  }

  override preempted(request: number, time: number, replica: number): void {
    this.hash.preempted(request, time, replica)
    this.ledger.preempted(request)
    this.summary.preempted(request, time)
  }

  override transferStarted(request: number, time: number): void {
    this.ledger.transferStarted(request, time)
  }

  override transferred(request: number, time: number, from: number, to: number): void {
    this.hash.transferred(request, time, from, to)
    this.ledger.transferred(request, time, from, to)
  }

  override ended(request: number, time: number, ending: Ending, outputTokens: number): void {
    this.hash.ended(request, time, ending, outputTokens)
    this.ledger.ended(request, time, ending, outputTokens)
  }
}
