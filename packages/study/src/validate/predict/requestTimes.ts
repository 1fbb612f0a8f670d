import { Histogram } from '@windtunnel/metrics/sketch/histogram'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '@windtunnel/workload'
import type { Figures, InterTokenDefinition, RunFigures } from '../measured/measuredRun.ts'

/** Keeps when every request arrived, got its first token and ended. */
export class RequestTimes extends SilentObserver {
  readonly #arrival: number[] = []
  readonly #first: (number | undefined)[] = []
  readonly #end: (number | undefined)[] = []
  readonly #tokens: number[] = []
  readonly #gaps = new Histogram()
  preemptions = 0
  cachedTokens = 0
  queriedTokens = 0
  unserved = 0

  override arrived(request: number, time: number): void {
    this.#arrival[request] = time
  }

  override firstToken(request: number, time: number): void {
    this.#first[request] ??= time
  }

  override decodeRun(
    _replica: number,
    _time: number,
    steps: number,
    sequences: number,
    firstGap: number,
    growth: number,
  ): void {
    this.#gaps.recordRun(firstGap, growth, steps, sequences)
  }

  override tokenGap(_request: number, _time: number, gapTicks: number): void {
    this.#gaps.record(gapTicks)
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
    this.cachedTokens += cached
    this.queriedTokens += queried
  }

  override preempted(): void {
    this.preemptions += 1
  }

  override ended(request: number, time: number, ending: Ending, outputTokens: number): void {
    if (ending !== 'completed') this.unserved += 1
    else {
      this.#end[request] = time
      this.#tokens[request] = outputTokens
    }
  }

  /** Figures over all requests but the first `cold`. */
  figures(cold: number, definition: InterTokenDefinition): RunFigures {
    const ttft: number[] = []
    const tpot: number[] = []
    const e2e: number[] = []
    let tokens = 0
    let from = Number.POSITIVE_INFINITY
    let to = 0
    for (let request = cold; request < this.#arrival.length; request++) {
      const arrival = this.#arrival[request]!
      const first = this.#first[request]
      const end = this.#end[request]
      if (first === undefined || end === undefined) continue
      const count = this.#tokens[request]!
      ttft.push(first - arrival)
      e2e.push(end - arrival)
      if (count > 1) tpot.push((end - first) / (count - 1))
      tokens += count
      from = Math.min(from, arrival)
      to = Math.max(to, end)
    }
    const perRequest = figuresOf(tpot)
    return {
      ...given('ttft', figuresOf(ttft)),
      ...given('tpot', perRequest),
      ...given('interToken', definition === 'perRequest' ? perRequest : this.#pooledGaps()),
      ...given('e2e', figuresOf(e2e)),
      ...(to > from ? { outputTokensPerSecond: tokens / (to - from) } : {}),
    }
  }

  #pooledGaps(): Figures | undefined {
    if (this.#gaps.count === 0) return undefined
    return {
      mean: this.#gaps.meanSeconds!,
      p50: this.#gaps.quantileSeconds(0.5)!,
      p90: this.#gaps.quantileSeconds(0.9)!,
      p99: this.#gaps.quantileSeconds(0.99)!,
    }
  }
}

const given = <K extends string>(key: K, value: Figures | undefined): { [P in K]?: Figures } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: Figures }

/** Mean and quantiles (linear between ranks, as the load generators do); undefined of nothing. */
export function figuresOf(values: readonly number[]): Figures | undefined {
  if (values.length === 0) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  let sum = 0
  for (const value of sorted) sum += value
  const at = (q: number): number => {
    const rank = q * (sorted.length - 1)
    const low = Math.floor(rank)
    const high = Math.min(low + 1, sorted.length - 1)
    return sorted[low]! + (rank - low) * (sorted[high]! - sorted[low]!)
  }
  return { mean: sum / sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}
