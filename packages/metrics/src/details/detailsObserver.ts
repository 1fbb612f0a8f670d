import type { ReplicaView, SimulationView } from '@windtunnel/orchestrator'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import { Histogram } from '../sketch/histogram.ts'
import { distributionOf } from '../summary/distribution.ts'
import { isWithin, type MeasuredWindow, measuredSeconds, WHOLE_RUN } from '../summary/measuredWindow.ts'
import type { SummaryObserver } from '../summary/summaryObserver.ts'
import { ticksBetweenSeconds } from '../ticks.ts'
import { type LedgerReader, SilentReader } from '../timeline/ledgerReader.ts'
import type { Objectives } from '../timeline/objectives.ts'
import { normalisedLatencyOf, phasesOf, type RequestTimeline, ttftOf } from '../timeline/requestTimeline.ts'
import { BacklogSeries } from './backlogSeries.ts'
import { ClassFigures } from './classFigures.ts'
import { fleetFigures } from './fleetFigures.ts'
import { PrefixHitCounts } from './prefixHitCounts.ts'
import type { ReplicaProfile } from './replicaProfile.ts'
import type { RunDetails } from './runDetails.ts'
import { judgeSaturation } from './saturation.ts'
import { StepTotals } from './stepTotals.ts'
import { TenantShares } from './tenantShares.ts'

export interface DetailsOptions {
  /** Objectives by service class, in the order of the scenario. */
  readonly objectives?: readonly Objectives[]
  readonly window?: MeasuredWindow
  /** What a replica is made of, by its number in the fleet. */
  readonly profileOf: (replica: number) => ReplicaProfile
  /** Network round trip between client and front end; undefined where it is not known. */
  readonly roundTripSeconds?: (serviceClass: number, tenant: number) => number | undefined
}

/** Records what `RunDetails` needs beyond the summary. Memory grows with classes and tenants, not with requests. */
export class DetailsObserver extends SilentObserver {
  readonly reader: LedgerReader
  readonly steps: StepTotals
  readonly #window: MeasuredWindow
  readonly #options: DetailsOptions
  readonly #classes: ClassFigures[]
  readonly #tenants = new TenantShares()
  readonly #prefix = new PrefixHitCounts()
  readonly #backlog = new BacklogSeries()
  readonly #phases = { queue: 0, prefill: 0, transfer: 0, decode: 0 }
  readonly #prefill = new Histogram()
  readonly #transfer = new Histogram()
  readonly #decode = new Histogram()
  readonly #normalised = new Histogram()
  readonly #ttftFromSend = new Histogram()
  #arrived = 0
  /** Whether KV caches travel in this run: there, requests wait for that too. */
  #transfers = false

  constructor(options: DetailsOptions) {
    super()
    this.#options = options
    this.#window = options.window ?? WHOLE_RUN
    this.steps = new StepTotals(this.#window, options.profileOf)
    const { objectives = [] } = options
    this.#classes = (objectives.length > 0 ? objectives : [{ serviceClass: 'default' }]).map(
      (limits) => new ClassFigures(limits),
    )
    this.reader = new DetailsReader(this)
  }

  override arrived(
    _request: number,
    time: number,
    inputTokens: number,
    outputTokens: number,
    serviceClass: number,
    tenant: number,
  ): void {
    this.#backlog.arrived(time)
    if (!isWithin(this.#window, time)) return
    this.#arrived += 1
    const figures = this.#classes[serviceClass]
    if (figures !== undefined) figures.arrived += 1
    this.#tenants.arrived(tenant, inputTokens + outputTokens)
  }

  override admitted(
    _request: number,
    time: number,
    replica: number,
    cached: number,
    queried: number,
    preemptions: number,
  ): void {
    if (preemptions === 0 && isWithin(this.#window, time))
      this.#prefix.lookedUp(cached, queried, this.#options.profileOf(replica).blockTokens)
  }

  override transferStarted(_request: number, time: number): void {
    this.#transfers = true
    this.#backlog.waitsAgain(time)
  }

  override transferred(_request: number, time: number): void {
    this.#backlog.dequeued(time)
  }

  override prefillChunk(_request: number, time: number, replica: number, tokens: number, context: number): void {
    this.steps.chunk(replica, time, tokens, context)
  }

  override stepped(
    replica: number,
    start: number,
    end: number,
    steps: number,
    sequences: number,
    prefillTokens: number,
    contextTokens: number,
    contextGrowth: number,
  ): void {
    this.steps.stepped(replica, start, end, steps, sequences, prefillTokens, contextTokens, contextGrowth)
  }

  /** Called by the reader. */
  dequeued(time: number): void {
    this.#backlog.dequeued(time)
  }

  /** Called by the reader. */
  classFirstToken(time: number, ttftSeconds: number, serviceClass: number): void {
    if (isWithin(this.#window, time - ttftSeconds)) this.#classes[serviceClass]?.firstToken(ttftSeconds)
  }

  /** Called by the reader. */
  requestEnded(timeline: RequestTimeline): void {
    this.#backlog.ended(timeline.ended)
    if (isWaiting(timeline)) this.#backlog.dequeued(timeline.ended)
    if (!isWithin(this.#window, timeline.arrival)) return
    this.#tenants.ended(timeline)
    this.#classes[timeline.serviceClass]?.ended(timeline)
    const ttft = ttftOf(timeline)
    const roundTrip = this.#options.roundTripSeconds?.(timeline.serviceClass, timeline.tenant)
    if (ttft !== undefined && roundTrip !== undefined)
      this.#ttftFromSend.record(ticksBetweenSeconds(0, ttft + roundTrip))
    if (timeline.ending === 'completed') this.#completed(timeline)
  }

  #completed(timeline: RequestTimeline): void {
    const phases = phasesOf(timeline, this.#phases)
    this.#prefill.record(ticksBetweenSeconds(0, phases.prefill))
    if (timeline.transferStarted !== undefined) this.#transfer.record(ticksBetweenSeconds(0, phases.transfer))
    this.#decode.record(ticksBetweenSeconds(0, phases.decode))
    const normalised = normalisedLatencyOf(timeline)
    if (normalised !== undefined) this.#normalised.record(ticksBetweenSeconds(0, normalised))
  }

  /** The details of the run so far. `view` gives the replicas; `summary` what is counted there. */
  details(summary: SummaryObserver, view: SimulationView): RunDetails {
    const seconds = measuredSeconds(this.#window, view.time)
    const perSecond = seconds > 0 ? 1 / seconds : 0
    return {
      window: {
        fromSeconds: this.#window.fromSeconds,
        untilSeconds: Math.min(this.#window.untilSeconds, view.time),
        arrived: this.#arrived,
      },
      prefill: distributionOf(this.#prefill),
      transfer: distributionOf(this.#transfer),
      decode: distributionOf(this.#decode),
      normalisedLatency: distributionOf(this.#normalised),
      ttftFromSend: distributionOf(this.#ttftFromSend),
      classes: this.#classes.map((one) => one.details(perSecond, summary.itl)),
      ...fleetFigures(
        view.replicas.map((one) => ({
          profile: this.#options.profileOf(one.replica),
          share: shareThere(this.#window, view.time, one),
        })),
        this.steps.sums,
        summary.figures(view.time, view),
        seconds,
      ),
      prefix: this.#prefix.hits(),
      fairness: this.#tenants.fairness(),
      saturation: judgeSaturation({
        points: this.#backlog.points(),
        bucketSeconds: this.#backlog.bucketSeconds,
        arrived: view.arrived,
        timedOut: view.timedOut,
        meanE2eSeconds: summary.e2e.meanSeconds,
        transfers: this.#transfers,
      }),
    }
  }
}

/** Whether it ended before its admission, or before its KV cache had arrived. */
const isWaiting = ({ admitted, transferStarted, transferred }: RequestTimeline): boolean =>
  admitted === undefined || (transferStarted !== undefined && transferred === undefined)

/** Share of the window in which a replica was there. */
function shareThere(window: MeasuredWindow, now: number, { addedAt = 0, downAt = now }: ReplicaView): number {
  const from = Math.max(window.fromSeconds, addedAt)
  const until = Math.min(window.untilSeconds, now, downAt)
  return Math.max(0, until - from) / measuredSeconds(window, now)
}

class DetailsReader extends SilentReader {
  readonly #details: DetailsObserver

  constructor(details: DetailsObserver) {
    super()
    this.#details = details
  }

  override admitted(time: number): void {
    this.#details.dequeued(time)
  }

  override firstToken(time: number, ttftSeconds: number, _inputTokens: number, serviceClass: number): void {
    this.#details.classFirstToken(time, ttftSeconds, serviceClass)
  }

  override ended(timeline: RequestTimeline): void {
    this.#details.requestEnded(timeline)
  }
}
