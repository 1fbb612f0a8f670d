import type { SimulationView } from '@windtunnel/orchestrator'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '../facts/ending.ts'
import { Histogram } from '../sketch/histogram.ts'
import { TICKS_PER_SECOND, ticksBetweenSeconds } from '../ticks.ts'
import { type LedgerReader, SilentReader } from '../timeline/ledgerReader.ts'
import { allMet, type Objectives, objectivesOf, promiseAnything } from '../timeline/objectives.ts'
import type { RequestTimeline } from '../timeline/requestTimeline.ts'
import { distributionOf } from './distribution.ts'
import { isWithin, type MeasuredWindow, measuredSeconds, stepsWithin, WHOLE_RUN } from './measuredWindow.ts'
import type { RequestTotals, RunFigures } from './runSummary.ts'

class Counts {
  outputTokens = 0
  preemptions = 0
  cachedTokens = 0
  queriedTokens = 0
}

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
  /** Undefined where nothing is promised: no completed request misses anything. */
  private readonly objectives: readonly Objectives[] | undefined
  private readonly window: MeasuredWindow
  private readonly windowed: boolean
  private readonly span = { first: 0, count: 0 }
  private readonly endings: Record<Ending, number> = { completed: 0, rejected: 0, failed: 0, cancelled: 0, timedOut: 0 }
  private arrivals = 0
  private inputTokens = 0
  private completed = 0
  /** Of these, the ones that missed something promised. */
  private missed = 0
  /** Of the whole run, whatever the window. */
  private readonly all = new Counts()
  /** Of the window; the same object where that is the whole run. */
  private readonly measured: Counts

  constructor(objectives: readonly Objectives[] = [], window: MeasuredWindow = WHOLE_RUN) {
    super()
    this.window = window
    this.windowed = window.fromSeconds > 0 || window.untilSeconds < Number.POSITIVE_INFINITY
    this.measured = this.windowed ? new Counts() : this.all
    this.objectives = promiseAnything(objectives) ? objectives : undefined
  }

  /** One that hands it the timelines of a ledger. */
  get reader(): LedgerReader {
    return new SummaryReader(this)
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
    if (!this.measuresApart(time)) return
    this.measured.cachedTokens += cached
    this.measured.queriedTokens += queried
  }

  override firstToken(_request: number, time: number): void {
    this.all.outputTokens += 1
    if (this.measuresApart(time)) this.measured.outputTokens += 1
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
      this.itl.recordRun(firstGap, growth, steps, sequences)
      return
    }
    const { first, count } = stepsWithin(this.window, time, steps, firstGap, growth, this.span)
    this.measured.outputTokens += Math.max(0, count) * sequences
    this.itl.recordRun(firstGap + first * growth, growth, count, sequences)
  }

  override tokenGap(_request: number, time: number, gapTicks: number): void {
    this.all.outputTokens += 1
    if (this.measuresApart(time)) this.measured.outputTokens += 1
    if (this.measures(time)) this.itl.record(gapTicks)
  }

  override preempted(_request: number, time: number): void {
    this.all.preemptions += 1
    if (this.measuresApart(time)) this.measured.preemptions += 1
  }

  /** Whether what happens at `time` is measured. */
  measures(time: number): boolean {
    return !this.windowed || isWithin(this.window, time)
  }

  /** Whether what happens at `time` is to be counted in `measured` too. */
  private measuresApart(time: number): boolean {
    return this.windowed && isWithin(this.window, time)
  }

  /** Called by the reader. */
  requestEnded(timeline: RequestTimeline): void {
    const { ending, arrival, ended, firstToken, outputTokens } = timeline
    if (ending !== 'completed') {
      this.endings[ending] += 1
      return
    }
    this.endings.completed += 1
    if (!this.measures(arrival)) return
    this.completed += 1
    this.inputTokens += timeline.inputTokens
    const { objectives } = this
    if (objectives !== undefined && !allMet(timeline, objectivesOf(objectives, timeline.serviceClass))) this.missed += 1
    this.e2e.record((ended - arrival) * TICKS_PER_SECOND)
    if (firstToken === undefined || outputTokens < 2) return
    this.tpot.record(ticksBetweenSeconds(firstToken, ended) / (outputTokens - 1))
  }

  /** Tokens and the like since the start of the run, whatever the window. */
  get counts(): Readonly<Counts> {
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
    const { outputTokens, preemptions, cachedTokens, queriedTokens } = this.measured
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
        outputTokensPerSecond: outputTokens * perSecond,
      },
      goodput: (this.completed - this.missed) * perSecond,
      kv: {
        peakUtilisation: peakUtilisation(view),
        prefixHitRate: queriedTokens > 0 ? cachedTokens / queriedTokens : 0,
      },
      preemptions,
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
    this.summary.queue.record(queueSeconds * TICKS_PER_SECOND)
  }

  override firstToken(time: number, ttftSeconds: number): void {
    if (!this.summary.measures(time - ttftSeconds)) return
    this.summary.ttft.record(ttftSeconds * TICKS_PER_SECOND)
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
