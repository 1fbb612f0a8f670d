import { SilentObserver } from '../../src/index.ts'

/** Writes down every request-level fact in order, and every token gap as a multiset. */
export class Recorder extends SilentObserver {
  readonly facts: string[] = []
  readonly gaps = new Map<number, number>()
  arrivals = 0
  routings = 0
  preemptions = 0
  swaps = 0
  loads = 0
  transfers = 0
  hits = 0
  chunks = 0
  endings: Record<string, number> = {}

  override arrived(...all: number[]): void {
    this.arrivals += 1
    this.facts.push(`arrived ${all.join(' ')}`)
  }

  override routed(...all: number[]): void {
    this.routings += 1
    this.facts.push(`routed ${all.join(' ')}`)
  }

  override admitted(...all: number[]): void {
    if (all[3]! > 0) this.hits += 1
    if (all[3] === all[4]! - 1 && all[5]! > 0) this.swaps += 1
    this.facts.push(`admitted ${all.join(' ')}`)
  }

  override prefillChunk(request: number, time: number, replica: number, tokens: number, context: number): void {
    this.chunks += 1
    this.facts.push(`chunk ${request} ${time} ${replica} ${tokens} ${context}`)
  }

  override firstToken(...all: number[]): void {
    this.facts.push(`first ${all.join(' ')}`)
  }

  override preempted(...all: number[]): void {
    this.preemptions += 1
    this.facts.push(`preempted ${all.join(' ')}`)
  }

  override transferStarted(...all: number[]): void {
    this.facts.push(`transfer ${all.join(' ')}`)
  }

  override transferred(...all: number[]): void {
    this.transfers += 1
    this.facts.push(`transferred ${all.join(' ')}`)
  }

  override ended(request: number, time: number, ending: string, outputTokens: number): void {
    this.endings[ending] = (this.endings[ending] ?? 0) + 1
    this.facts.push(`ended ${request} ${time} ${ending} ${outputTokens}`)
  }

  override tokenGap(_request: number, _time: number, gapTicks: number): void {
    this.#gap(gapTicks, 1)
  }

  override decodeRun(
    _replica: number,
    _time: number,
    steps: number,
    sequences: number,
    first: number,
    growth: number,
  ): void {
    for (let j = 0; j < steps; j++) this.#gap(first + j * growth, sequences)
  }

  #gap(ticks: number, count: number): void {
    this.gaps.set(ticks, (this.gaps.get(ticks) ?? 0) + count)
  }

  /** Gaps in order of length, for comparison. */
  sortedGaps(): [number, number][] {
    return [...this.gaps].sort(([a], [b]) => a - b)
  }
}
