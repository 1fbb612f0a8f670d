import { type LedgerReader, SilentReader } from '@windtunnel/metrics'
import { SECONDS_PER_TICK } from '@windtunnel/metrics/ticks'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { ExportKind } from './exportKind.ts'

/** What happened within one second of virtual time. */
export interface SeriesPoint {
  arrived: number
  completed: number
  outputTokens: number
  gapSeconds: number
  gaps: number
  readonly ttft: number[]
}

/** Collects a point for every second of virtual time in which something happened. */
export class Series extends SilentObserver {
  readonly #points = new Map<number, SeriesPoint>()
  readonly reader: LedgerReader

  constructor() {
    super()
    this.reader = new SeriesReader(this)
  }

  at(time: number): SeriesPoint {
    const second = Math.floor(time)
    const known = this.#points.get(second)
    if (known !== undefined) return known
    const point = { arrived: 0, completed: 0, outputTokens: 0, gapSeconds: 0, gaps: 0, ttft: [] }
    this.#points.set(second, point)
    return point
  }

  /** Seconds with their points, in order of time. */
  inOrder(): [number, SeriesPoint][] {
    return [...this.#points].sort(([a], [b]) => a - b)
  }

  override arrived(_request: number, time: number): void {
    this.at(time).arrived += 1
  }

  override decodeRun(
    _replica: number,
    time: number,
    steps: number,
    sequences: number,
    first: number,
    growth: number,
  ): void {
    let at = time
    for (let step = 0; step < steps; step++) {
      const gap = (first + step * growth) * SECONDS_PER_TICK
      at += gap
      const point = this.at(at)
      point.outputTokens += sequences
      point.gaps += sequences
      point.gapSeconds += gap * sequences
    }
  }

  override tokenGap(_request: number, time: number, gapTicks: number): void {
    const point = this.at(time)
    point.outputTokens += 1
    point.gaps += 1
    point.gapSeconds += gapTicks * SECONDS_PER_TICK
  }

  override ended(_request: number, time: number, ending: string): void {
    if (ending === 'completed') this.at(time).completed += 1
  }
}

class SeriesReader extends SilentReader {
  readonly #series: Series

  constructor(series: Series) {
    super()
    this.#series = series
  }

  override firstToken(time: number, ttftSeconds: number): void {
    const point = this.#series.at(time)
    point.outputTokens += 1
    point.ttft.push(ttftSeconds)
  }
}

/** A quantile of a short list by linear interpolation; undefined when it is empty. */
export function quantile(values: readonly number[], share: number): number | undefined {
  if (values.length === 0) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = Math.floor(place)
  const low = sorted[below]!
  return low + (sorted[Math.min(below + 1, sorted.length - 1)]! - low) * (place - below)
}

const HEAD = 'second,arrived,completed,output_tokens,ttft_p50_s,ttft_p99_s,itl_mean_s'

export const series: ExportKind = {
  name: 'series',
  description: 'one line for every second in which something happened: arrivals, completions, tokens, TTFT, ITL (CSV)',
  start(_run, file) {
    const collected = new Series()
    return {
      recording: collected,
      finish() {
        file.write(`${HEAD}\n`)
        for (const [second, point] of collected.inOrder()) {
          const itl = point.gaps > 0 ? point.gapSeconds / point.gaps : ''
          const ttft = [quantile(point.ttft, 0.5) ?? '', quantile(point.ttft, 0.99) ?? '']
          file.write(`${[second, point.arrived, point.completed, point.outputTokens, ...ttft, itl].join(',')}\n`)
        }
      },
    }
  },
}
