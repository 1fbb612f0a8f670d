import type { SimulationView } from '@windtunnel/orchestrator'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '../facts/ending.ts'
import { Histogram } from '../sketch/histogram.ts'
import { ticksBetweenSeconds } from '../ticks.ts'
import { allMet, type Objectives, objectivesOf } from '../timeline/objectives.ts'
import { type LedgerReader, SilentReader } from '../timeline/requestLedger.ts'
import type { RequestTimeline } from '../timeline/requestTimeline.ts'
import { distributionOf } from './distribution.ts'
import type { RequestTotals, RunFigures } from './runSummary.ts'

/**
 * The figures of a whole run. It observes the facts that are not about one request; `reader` takes the timelines from a
 * ledger. Memory does not grow with the number of requests.
 */
export class SummaryObserver extends SilentObserver {
  readonly ttft = new Histogram()
  readonly itl = new Histogram()
  readonly tpot = new Histogram()
  readonly e2e = new Histogram()
  readonly queue = new Histogram()
  readonly reader: LedgerReader
  readonly #objectives: readonly Objectives[]
  readonly #endings: Record<Ending, number> = { completed: 0, rejected: 0, failed: 0, cancelled: 0, timedOut: 0 }
  #arrived = 0
  #inputTokens = 0
  #outputTokens = 0
  #good = 0
  #cachedTokens = 0
  #queriedTokens = 0
  #preemptions = 0

  constructor(objectives: readonly Objectives[] = []) {
    super()
    this.#objectives = objectives
    this.reader = new SummaryReader(this)
  }

  override arrived(): void {
    this.#arrived += 1
  }

  override admitted(
    _request: number,
    _time: number,
    _replica: number,
    cached: number,
    queried: number,
    preemptions: number,
  ): void {
    if (preemptions > 0) return
    this.#cachedTokens += cached
    this.#queriedTokens += queried
  }

  override firstToken(): void {
    this.#outputTokens += 1
  }

  override decodeRun(
    _replica: number,
    _time: number,
    steps: number,
    sequences: number,
    firstGap: number,
    growth: number,
  ): void {
    this.#outputTokens += steps * sequences
    this.itl.recordRun(firstGap, growth, steps, sequences)
  }

  override tokenGap(_request: number, _time: number, gapTicks: number): void {
    this.#outputTokens += 1
    this.itl.record(gapTicks)
  }

  override preempted(): void {
    this.#preemptions += 1
  }

  /** Called by the reader. */
  requestEnded(timeline: RequestTimeline): void {
    this.#endings[timeline.ending] += 1
    if (timeline.ending !== 'completed') return
    this.#inputTokens += timeline.inputTokens
    if (allMet(timeline, objectivesOf(this.#objectives, timeline.serviceClass))) this.#good += 1
    this.e2e.record(ticksBetweenSeconds(timeline.arrival, timeline.ended))
    if (timeline.firstToken === undefined || timeline.outputTokens < 2) return
    const span = ticksBetweenSeconds(timeline.firstToken, timeline.ended)
    this.tpot.record(Math.round(span / (timeline.outputTokens - 1)))
  }

  /** Tokens and the like since the start. */
  get counts(): Readonly<{ outputTokens: number; preemptions: number; cachedTokens: number; queriedTokens: number }> {
    return {
      outputTokens: this.#outputTokens,
      preemptions: this.#preemptions,
      cachedTokens: this.#cachedTokens,
      queriedTokens: this.#queriedTokens,
    }
  }

  totals(): RequestTotals {
    const { completed, rejected, failed, cancelled, timedOut } = this.#endings
    const ended = completed + rejected + failed + cancelled + timedOut
    return {
      arrived: this.#arrived,
      completed,
      rejected,
      failed,
      cancelled,
      timedOut,
      unfinished: this.#arrived - ended,
    }
  }

  /** The figures after `simulatedSeconds` of virtual time; `view` gives the peak use of KV blocks. Rates are 0 for an empty run. */
  figures(simulatedSeconds: number, view: SimulationView): RunFigures {
    const perSecond = simulatedSeconds > 0 ? 1 / simulatedSeconds : 0
    const requests = this.totals()
    return {
      requests,
      ttft: distributionOf(this.ttft),
      itl: distributionOf(this.itl),
      tpot: distributionOf(this.tpot),
      e2e: distributionOf(this.e2e),
      queue: distributionOf(this.queue),
      throughput: {
        requestsPerSecond: requests.completed * perSecond,
        inputTokensPerSecond: this.#inputTokens * perSecond,
        outputTokensPerSecond: this.#outputTokens * perSecond,
      },
      goodput: this.#good * perSecond,
      kv: {
        peakUtilisation: peakUtilisation(view),
        prefixHitRate: this.#queriedTokens > 0 ? this.#cachedTokens / this.#queriedTokens : 0,
      },
      preemptions: this.#preemptions,
      simulatedSeconds,
    }
  }
}

class SummaryReader extends SilentReader {
  readonly #summary: SummaryObserver

  constructor(summary: SummaryObserver) {
    super()
    this.#summary = summary
  }

  override admitted(_time: number, queueSeconds: number): void {
    this.#summary.queue.record(ticksBetweenSeconds(0, queueSeconds))
  }

  override firstToken(_time: number, ttftSeconds: number): void {
    this.#summary.ttft.record(ticksBetweenSeconds(0, ttftSeconds))
  }

  override ended(timeline: RequestTimeline): void {
    this.#summary.requestEnded(timeline)
  }
}

/** Largest share of KV blocks ever in use on a replica; a replica that keeps no peak gives its present use. */
function peakUtilisation(view: SimulationView): number {
  let peak = 0
  for (const replica of view.replicas) {
    const used = replica.peakUsedBlocks ?? replica.usedBlocks
    if (replica.totalBlocks > 0) peak = Math.max(peak, used / replica.totalBlocks)
  }
  return peak
}
