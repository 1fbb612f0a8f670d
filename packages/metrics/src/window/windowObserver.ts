import { SilentObserver } from '@windtunnel/orchestrator/observer'
import { SECONDS_PER_TICK, ticksBetweenSeconds } from '../ticks.ts'
import { type LedgerReader, SilentReader } from '../timeline/ledgerReader.ts'
import { e2eMet, type Objectives, objectivesOf, tpotMet, ttftMet } from '../timeline/objectives.ts'
import type { RequestTimeline } from '../timeline/requestTimeline.ts'
import { WindowRing } from './windowRing.ts'
import type { WindowSlot } from './windowSlot.ts'

export interface WindowOptions {
  /** Slots of the ring; the longest window is one slot less. */
  slots?: number
  slotSeconds?: number
  objectives?: readonly Objectives[]
}

/**
 * What the live view shows: rates and percentiles over the last seconds of virtual time, for the fleet and per service
 * class. Like the summary, it observes the facts and reads a ledger through `reader`.
 */
export class WindowObserver extends SilentObserver {
  readonly fleet: WindowRing
  /** One ring a service class; empty where there is one class only. */
  readonly classes: readonly WindowRing[]
  readonly reader: LedgerReader

  constructor(options: WindowOptions = {}) {
    super()
    const { slots = 64, slotSeconds = 1, objectives = [] } = options
    this.fleet = new WindowRing(slots, slotSeconds)
    this.classes = objectives.length > 1 ? objectives.map(() => new WindowRing(slots, slotSeconds)) : []
    this.reader = new WindowReader(this, objectives)
  }

  override arrived(_request: number, time: number, _input: number, _output: number, serviceClass: number): void {
    this.fleet.at(time).arrived += 1
    const ring = this.classes[serviceClass]
    if (ring !== undefined) ring.at(time).arrived += 1
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
    const slot = this.fleet.at(time)
    slot.cachedTokens += cached
    slot.queriedTokens += queried
  }

  override firstToken(_request: number, time: number): void {
    this.fleet.at(time).outputTokens += 1
  }

  override decodeRun(
    _replica: number,
    time: number,
    steps: number,
    sequences: number,
    firstGap: number,
    growth: number,
  ): void {
    const ticks = steps * firstGap + (growth * (steps * (steps - 1))) / 2
    const end = time + ticks * SECONDS_PER_TICK
    const slotSeconds = this.fleet.slotSeconds
    if (Math.floor(time / slotSeconds) === Math.floor(end / slotSeconds))
      this.record(end, firstGap, growth, steps, sequences)
    else this.spread(time, steps, sequences, firstGap, growth)
  }

  override tokenGap(_request: number, time: number, gapTicks: number): void {
    const slot = this.fleet.at(time)
    slot.outputTokens += 1
    slot.itl.record(gapTicks)
  }

  override preempted(_request: number, time: number): void {
    this.fleet.at(time).preemptions += 1
  }

  /** A run that crosses slots is cut where its steps end in the next slot. */
  private spread(time: number, steps: number, sequences: number, firstGap: number, growth: number): void {
    const slotSeconds = this.fleet.slotSeconds
    let from = 0
    let at = time
    let slot = Number.NaN
    let start = time
    for (let step = 0; step < steps; step++) {
      at += (firstGap + step * growth) * SECONDS_PER_TICK
      const number = Math.floor(at / slotSeconds)
      if (step > from && number !== slot) {
        this.record(start, firstGap + from * growth, growth, step - from, sequences)
        from = step
      }
      slot = number
      start = at
    }
    this.record(start, firstGap + from * growth, growth, steps - from, sequences)
  }

  private record(time: number, firstGap: number, growth: number, steps: number, sequences: number): void {
    const slot = this.fleet.at(time)
    slot.outputTokens += steps * sequences
    slot.itl.recordRun(firstGap, growth, steps, sequences)
  }
}

/** Writes what is known of single requests into the slots of the fleet and of their class. */
class WindowReader extends SilentReader {
  private readonly observer: WindowObserver
  private readonly objectives: readonly Objectives[]

  constructor(observer: WindowObserver, objectives: readonly Objectives[]) {
    super()
    this.observer = observer
    this.objectives = objectives
  }

  override admitted(time: number, queueSeconds: number, serviceClass: number): void {
    const ticks = ticksBetweenSeconds(0, queueSeconds)
    this.observer.fleet.at(time).queue.record(ticks)
    this.observer.classes[serviceClass]?.at(time).queue.record(ticks)
  }

  override firstToken(time: number, ttftSeconds: number, inputTokens: number, serviceClass: number): void {
    const ticks = ticksBetweenSeconds(0, ttftSeconds)
    const slot = this.observer.fleet.at(time)
    slot.ttft.record(ticks)
    slot.inputTokens += inputTokens
    this.observer.classes[serviceClass]?.at(time).ttft.record(ticks)
  }

  override ended(timeline: RequestTimeline): void {
    if (timeline.ending !== 'completed') return
    const { serviceClass, ended } = timeline
    const objectives = objectivesOf(this.objectives, serviceClass)
    this.completed(this.observer.fleet.at(ended), timeline, objectives)
    const ring = this.observer.classes[serviceClass]
    if (ring !== undefined) this.completed(ring.at(ended), timeline, objectives)
  }

  private completed(slot: WindowSlot, timeline: RequestTimeline, objectives: Objectives): void {
    const { arrival, firstToken, ended, outputTokens } = timeline
    const ttft = ttftMet(timeline, objectives)
    const tpot = tpotMet(timeline, objectives)
    const e2e = e2eMet(timeline, objectives)
    slot.completed += 1
    if (ttft && tpot && e2e) slot.good += 1
    if (ttft) slot.ttftMet += 1
    if (tpot) slot.tpotMet += 1
    if (e2e) slot.e2eMet += 1
    slot.e2e.record(ticksBetweenSeconds(arrival, ended))
    if (firstToken === undefined || outputTokens < 2) return
    slot.tpot.record(Math.round(ticksBetweenSeconds(firstToken, ended) / (outputTokens - 1)))
  }
}
