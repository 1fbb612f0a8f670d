import type { SimulationView } from '@windtunnel/orchestrator'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '../facts/ending.ts'
import { Histogram } from '../sketch/histogram.ts'
import { ticksBetweenSeconds } from '../ticks.ts'
import { allMet, type Objectives, objectivesOf } from '../timeline/objectives.ts'
import { type LedgerReader, SilentReader } from '../timeline/requestLedger.ts'
import type { RequestTimeline } from '../timeline/requestTimeline.ts'
import { distributionOf } from './distribution.ts'
import { isWithin, type MeasuredWindow, measuredSeconds, stepsWithin, WHOLE_RUN } from './measuredWindow.ts'
import type { RequestTotals, RunFigures } from './runSummary.ts'

/**
 * The figures of a run, of all of it or of a window. It observes the facts that are not about one request; `reader` takes
 * the timelines from a ledger. Memory does not grow with the number of requests.
 */
export class SummaryObserver extends SilentObserver {
  readonly ttft = new Histogram()
  readonly itl = new Histogram()
  readonly tpot = new Histogram()
  readonly e2e = new Histogram()
  readonly queue = new Histogram()
  readonly reader: LedgerReader
  private readonly objectives: readonly Objectives[]
  private readonly window: MeasuredWindow
  private readonly windowed: boolean
  private readonly span = { first: 0, count: 0 }
  private readonly endings: Record<Ending, number> = { completed: 0, rejected: 0, failed: 0, cancelled: 0, timedOut: 0 }
  private arrivals = 0
  private inputTokens = 0
  private outputTokens = 0
  private completed = 0
  private good = 0
  private cachedTokens = 0
  private queriedTokens = 0
  private preemptions = 0
  /** Of the whole run, whatever the window. */
  private readonly all = { outputTokens: 0, preemptions: 0, cachedTokens: 0, queriedTokens: 0 }

  constructor(objectives: readonly Objectives[] = [], window: MeasuredWindow = WHOLE_RUN) {
    super()
    this.window = window
    this.windowed = window.fromSeconds > 0 || window.untilSeconds < Number.POSITIVE_INFINITY
    this.objectives = objectives
    this.reader = new SummaryReader(this)
  }

  override arrived(): void {
    this.arrivals += 1
  }

  override admitted(
    _request: number,
    time: number,
    _replica: number,
    cached: number,
    queried: number,
    preemptions: number,
  ): void {
    if (preemptions > 0) return
    this.all.cachedTokens += cached
    this.all.queriedTokens += queried
    if (!this.measures(time)) return
    this.cachedTokens += cached
    this.queriedTokens += queried
  }

  override firstToken(_request: number, time: number): void {
    this.all.outputTokens += 1
    if (this.measures(time)) this.outputTokens += 1
  }

  override decodeRun(
    _replica: number,
    time: number,
    steps: number,
    sequences: number,
    firstGap: number,
    growth: number,
  ): void {
    this.all.outputTokens += steps * sequences
    if (!this.windowed) {
      this.outputTokens += steps * sequences
      this.itl.recordRun(firstGap, growth, steps, sequences)
      return
    }
    const { first, count } = stepsWithin(this.window, time, steps, firstGap, growth, this.span)
    this.outputTokens += Math.max(0, count) * sequences
    this.itl.recordRun(firstGap + first * growth, growth, count, sequences)
  }

  override tokenGap(_request: number, time: number, gapTicks: number): void {
    this.all.outputTokens += 1
    if (!this.measures(time)) return
    this.outputTokens += 1
    this.itl.record(gapTicks)
  }

  override preempted(_request: number, time: number): void {
    this.all.preemptions += 1
    if (this.measures(time)) this.preemptions += 1
  }

  /** Whether what happens at `time` is measured. */
  measures(time: number): boolean {
    return !this.windowed || isWithin(this.window, time)
  }

  /** Called by the reader. */
  requestEnded(timeline: RequestTimeline): void {
    this.endings[timeline.ending] += 1
    if (timeline.ending !== 'completed' || !this.measures(timeline.arrival)) return
    this.completed += 1
    this.inputTokens += timeline.inputTokens
    if (allMet(timeline, objectivesOf(this.objectives, timeline.serviceClass))) this.good += 1
    this.e2e.record(ticksBetweenSeconds(timeline.arrival, timeline.ended))
    if (timeline.firstToken === undefined || timeline.outputTokens < 2) return
    const span = ticksBetweenSeconds(timeline.firstToken, timeline.ended)
    this.tpot.record(Math.round(span / (timeline.outputTokens - 1)))
  }

  /** Tokens and the like since the start of the run, whatever the window. */
  get counts(): Readonly<{ outputTokens: number; preemptions: number; cachedTokens: number; queriedTokens: number }> {
    return this.all
  }

  totals(): RequestTotals {
    const { completed, rejected, failed, cancelled, timedOut } = this.endings
    const ended = completed + rejected + failed + cancelled + timedOut
    return {
      arrived: this.arrivals,
      completed,
      rejected,
      failed,
      cancelled,
      timedOut,
      unfinished: this.arrivals - ended,
    }
  }

  /** The figures after `simulatedSeconds` of virtual time; `view` gives the peak use of KV blocks. Rates are 0 for an empty run. */
  figures(simulatedSeconds: number, view: SimulationView): RunFigures {
    const seconds = measuredSeconds(this.window, simulatedSeconds)
    const perSecond = seconds > 0 ? 1 / seconds : 0
    const requests = this.totals()
    return {
      requests,
      ttft: distributionOf(this.ttft),
      itl: distributionOf(this.itl),
      tpot: distributionOf(this.tpot),
      e2e: distributionOf(this.e2e),
      queue: distributionOf(this.queue),
      throughput: {
        requestsPerSecond: this.completed * perSecond,
        inputTokensPerSecond: this.inputTokens * perSecond,
        outputTokensPerSecond: this.outputTokens * perSecond,
      },
      goodput: this.good * perSecond,
      kv: {
        peakUtilisation: peakUtilisation(view),
        prefixHitRate: this.queriedTokens > 0 ? this.cachedTokens / this.queriedTokens : 0,
      },
      preemptions: this.preemptions,
      simulatedSeconds,
    }
  }
}

class SummaryReader extends SilentReader {
  private readonly summary: SummaryObserver

  constructor(summary: SummaryObserver) {
    super()
    this.summary = summary
  }

  override admitted(time: number, queueSeconds: number): void {
    if (!this.summary.measures(time - queueSeconds)) return
    this.summary.queue.record(ticksBetweenSeconds(0, queueSeconds))
  }

  override firstToken(time: number, ttftSeconds: number): void {
    if (!this.summary.measures(time - ttftSeconds)) return
    this.summary.ttft.record(ticksBetweenSeconds(0, ttftSeconds))
  }

  override ended(timeline: RequestTimeline): void {
    this.summary.requestEnded(timeline)
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
