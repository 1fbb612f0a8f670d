import { type LedgerReader, SilentReader } from '@windtunnel/metrics'
import type { ExportKind } from './exportKind.ts'
import { type Counts, noCounts, TokenCounts } from './tokenCounts.ts'

/** What happened within one second of virtual time. */
export interface SeriesPoint extends Counts {
  readonly ttft: number[]
}

/** Collects a point for every second of virtual time in which something happened. */
export class Series extends TokenCounts<SeriesPoint> {
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
    const point = { ...noCounts(), ttft: [] }
    this.#points.set(second, point)
    return point
  }

  /** Seconds with their points, in order of time. */
  inOrder(): [number, SeriesPoint][] {
    return [...this.#points].sort(([a], [b]) => a - b)
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
