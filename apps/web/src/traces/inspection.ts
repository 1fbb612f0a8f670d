import { SECONDS_PER_TICK } from '@windtunnel/des'
import { TraceInspector, type TraceSummary } from '@windtunnel/workload/traces/inspect'
import { type TraceCounts, TraceReader } from '@windtunnel/workload/traces/reader'
import type { TraceRow } from '@windtunnel/workload/traces/row'

/** Four buckets an octave: bucket i holds lengths from 2^(i/4) up to the next. */
export const lengthBucket = (tokens: number): number => Math.floor(Math.log2(Math.max(1, tokens)) * 4 + 1e-9)
export const bucketStart = (bucket: number): number => 2 ** (bucket / 4)

/** What the page shows of a trace. */
export interface Inspection {
  format: string
  summary: TraceSummary
  counts: TraceCounts
  /** Arrivals in equal bins from the first arrival on. */
  arrivals: { binSeconds: number; counts: number[] }
  /** Counts of requests by length bucket. */
  inputLengths: number[]
  outputLengths: number[]
  /** Whether no row comes before the one above it: then it can be played without being sorted first. */
  inOrder: boolean
}

const mostBins = 240

/** Counts arrivals in bins that double whenever there would be too many: one pass, little memory, any span. */
class ArrivalBins {
  private binSeconds = 1
  private counts: number[] = []

  add(second: number): void {
    while (second / this.binSeconds >= mostBins) this.halve()
    const bin = Math.max(0, Math.floor(second / this.binSeconds))
    while (this.counts.length <= bin) this.counts.push(0)
    this.counts[bin] = (this.counts[bin] ?? 0) + 1
  }

  private halve(): void {
    this.binSeconds *= 2
    this.counts = Array.from(
      { length: Math.ceil(this.counts.length / 2) },
      (_, index) => (this.counts[2 * index] ?? 0) + (this.counts[2 * index + 1] ?? 0),
    )
  }

  result(): Inspection['arrivals'] {
    return { binSeconds: this.binSeconds, counts: this.counts }
  }
}

const countIn = (buckets: number[], tokens: number): void => {
  const bucket = lengthBucket(tokens)
  while (buckets.length <= bucket) buckets.push(0)
  buckets[bucket] = (buckets[bucket] ?? 0) + 1
}

/**
 * Reads a trace in pieces and says what it holds; memory does not grow with its rows. Bad rows are skipped and counted.
 * Throws the reader's error when the format cannot be told.
 */
export const inspectTrace = async (pieces: AsyncIterable<Uint8Array>): Promise<Inspection> => {
  const reader = new TraceReader({ onBadRow: 'skip', times: 'optional', order: 'any' })
  const inspector = new TraceInspector()
  const arrivals = new ArrivalBins()
  const inputLengths: number[] = []
  const outputLengths: number[] = []
  let origin: number | undefined
  let latest = Number.NEGATIVE_INFINITY
  let inOrder = true
  const take = (row: TraceRow): void => {
    inspector.add(row)
    countIn(inputLengths, row.inputTokens)
    countIn(outputLengths, row.outputTokens)
    if (!row.hasTime) return
    const second = row.time.seconds + row.time.ticks * SECONDS_PER_TICK
    origin ??= second
    inOrder &&= second >= latest
    latest = second
    arrivals.add(second - origin)
  }
  const drain = (): void => {
    for (let row = reader.next(); row !== undefined; row = reader.next()) take(row)
  }
  for await (const piece of pieces) {
    reader.push(piece)
    drain()
  }
  reader.end()
  drain()
  return {
    format: reader.format ?? 'empty',
    summary: inspector.summary(),
    counts: reader.counts,
    arrivals: arrivals.result(),
    inputLengths,
    outputLengths,
    inOrder,
  }
}
