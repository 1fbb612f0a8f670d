import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '../facts/ending.ts'
import { isWithin, type MeasuredWindow, measuredSeconds, WHOLE_RUN } from '../summary/measuredWindow.ts'
import { SECONDS_PER_TICK } from '../ticks.ts'
import { type LedgerReader, SilentReader } from '../timeline/ledgerReader.ts'
import { e2eOf, type RequestTimeline, tpotOf, ttftOf } from '../timeline/requestTimeline.ts'
import type { WeightedValues } from './exactStatistics.ts'

/** One request as the result files of other tools list it. Seconds. */
export interface ResultRequest {
  readonly request: number
  readonly arrival: number
  readonly inputTokens: number
  /** Delivered; 0 for a request that failed, as those tools write it. */
  readonly outputTokens: number
  readonly queue: number
  readonly ttft: number | undefined
  readonly tpot: number | undefined
  readonly e2e: number | undefined
  readonly end: number
  readonly ending: Ending
}

/** Everything that the result files are made from. Completed requests and failures, in order of arrival. */
export interface ResultSet {
  readonly durationSeconds: number
  readonly requests: readonly ResultRequest[]
  /** Gaps between tokens in seconds, pooled over requests. */
  readonly gaps: WeightedValues
  /** Most tokens delivered in one second of the run, counted from its start. */
  readonly mostTokensPerSecond: number
}

/**
 * Collects what the result files of other tools hold: every request and every distinct gap. Its memory grows with the
 * requests, so attach it only when such a file is asked for.
 */
export class ResultCollector extends SilentObserver {
  readonly reader: LedgerReader
  readonly #requests: ResultRequest[] = []
  readonly #gaps = new Map<number, number>()
  readonly #tokens = new Map<number, number>()

  readonly #window: MeasuredWindow

  /** Only requests that arrive within the window, and gaps that end within it, are collected. */
  constructor(window: MeasuredWindow = WHOLE_RUN) {
    super()
    this.#window = window
    this.reader = new CollectorReader(this.#requests, window)
  }

  override firstToken(_request: number, time: number): void {
    this.#delivered(time, 1)
  }

  override decodeRun(
    _replica: number,
    time: number,
    steps: number,
    sequences: number,
    firstGap: number,
    growth: number,
  ): void {
    let at = time
    for (let step = 0; step < steps; step++) {
      const gap = firstGap + step * growth
      at += gap * SECONDS_PER_TICK
      if (!isWithin(this.#window, at)) continue
      this.#gaps.set(gap, (this.#gaps.get(gap) ?? 0) + sequences)
      this.#delivered(at, sequences)
    }
  }

  override tokenGap(_request: number, time: number, gapTicks: number): void {
    if (!isWithin(this.#window, time)) return
    this.#gaps.set(gapTicks, (this.#gaps.get(gapTicks) ?? 0) + 1)
    this.#delivered(time, 1)
  }

  /** The set after `durationSeconds` of virtual time. Requests that are still inside are left out, as those tools do. */
  collected(durationSeconds: number): ResultSet {
    const ticks = [...this.#gaps.keys()].sort((a, b) => a - b)
    return {
      durationSeconds: measuredSeconds(this.#window, durationSeconds),
      requests: [...this.#requests].sort((a, b) => a.arrival - b.arrival || a.request - b.request),
      gaps: { values: ticks.map((gap) => gap * SECONDS_PER_TICK), weights: ticks.map((gap) => this.#gaps.get(gap)!) },
      mostTokensPerSecond: largestOf(this.#tokens.values()),
    }
  }

  #delivered(time: number, tokens: number): void {
    if (!isWithin(this.#window, time)) return
    const second = Math.floor(time)
    this.#tokens.set(second, (this.#tokens.get(second) ?? 0) + tokens)
  }
}

/** The largest, 0 for none; a spread of a long run's seconds would not fit on the stack. */
function largestOf(values: Iterable<number>): number {
  let largest = 0
  for (const value of values) largest = Math.max(largest, value)
  return largest
}

class CollectorReader extends SilentReader {
  readonly #requests: ResultRequest[]

  readonly #window: MeasuredWindow

  constructor(requests: ResultRequest[], window: MeasuredWindow) {
    super()
    this.#requests = requests
    this.#window = window
  }

  override ended(timeline: RequestTimeline): void {
    if (!isWithin(this.#window, timeline.arrival)) return
    const completed = timeline.ending === 'completed'
    this.#requests.push({
      request: timeline.request,
      arrival: timeline.arrival,
      inputTokens: timeline.inputTokens,
      outputTokens: completed ? timeline.outputTokens : 0,
      queue: (timeline.admitted ?? timeline.ended) - timeline.arrival,
      ttft: completed ? ttftOf(timeline) : undefined,
      tpot: tpotOf(timeline),
      e2e: e2eOf(timeline),
      end: timeline.ended,
      ending: timeline.ending,
    })
  }
}

export const isCompleted = (request: ResultRequest): boolean => request.ending === 'completed'

/** Values that are defined. */
export const definedValues = (values: readonly (number | undefined)[]): number[] =>
  values.filter((value) => value !== undefined)

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Most requests that were in flight at one instant; one that ends where another begins does not overlap it. */
export function mostConcurrent(requests: readonly ResultRequest[]): number {
  const marks = requests.flatMap(({ arrival, end }) => [
    { time: arrival, change: 1 },
    { time: end, change: -1 },
  ])
  marks.sort((a, b) => a.time - b.time || a.change - b.change)
  let now = 0
  let most = 0
  for (const { change } of marks) {
    now += change
    most = Math.max(most, now)
  }
  return most
}
