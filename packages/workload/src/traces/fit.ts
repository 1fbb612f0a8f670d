import { copyTime, log, SECONDS_PER_TICK, type Time, zeroTime } from '@windtunnel/des'
import { logGamma } from '../arrivals/spacings.ts'
import type { PartSpec } from '../parts/option.ts'
import { type StreamSpec, trafficParts } from '../sources/synthetic.ts'
import { createPromptTree } from '../tokenRuns.ts'
import { LengthCounts } from './lengthCounts.ts'
import type { TraceRow } from './row.ts'

/** A candidate and how far it is from the trace: the Kolmogorov-Smirnov distance (0 is alike, 1 has nothing in common). */
export interface Fitted {
  readonly part: PartSpec
  readonly distance: number
}

export interface TraceFit {
  /** A stream of synthetic traffic like the trace. */
  readonly stream: StreamSpec
  /** Candidates for the gaps between arrivals, the nearest first; empty for a trace without times. */
  readonly arrivals: readonly Fitted[]
  readonly input: readonly Fitted[]
  readonly output: readonly Fitted[]
  /** Correlation of input and output lengths in the trace. The stream draws them apart, so it has none. */
  readonly lengthCorrelation: number | undefined
  /** What the stream leaves out. */
  readonly remarks: readonly string[]
}

const KEPT_GAPS = 20_000
const DRAWS = 20_000
const QUANTILE_STEPS = 50

/** Fits a generator to a trace, one row at a time; memory grows with the number of different lengths only. */
export class TraceFitter {
  private rows = 0
  private readonly input = new LengthCounts()
  private readonly output = new LengthCounts()
  private sums = { x: 0, y: 0, xx: 0, yy: 0, xy: 0 }
  private readonly last: Time = zeroTime()
  private timed = 0
  private gapSum = 0
  private gapSquares = 0
  /** Every `stride`-th gap. */
  private gaps: number[] = []
  private stride = 1
  private sharedRuns = 0
  private followers = 0

  add(row: TraceRow): void {
    this.rows++
    this.input.add(row.inputTokens)
    this.output.add(row.outputTokens)
    const { inputTokens: x, outputTokens: y } = row
    const { sums } = this
    sums.x += x
    sums.y += y
    sums.xx += x * x
    sums.yy += y * y
    sums.xy += x * y
    this.sharedRuns += row.runs
    if (row.afterSeconds !== undefined) this.followers++
    if (row.hasTime) this.addTime(row)
  }

  fit(seed = 1): TraceFit {
    const arrivals = this.fitArrivals(seed)
    const input = fitLengths(this.input, seed)
    const output = fitLengths(this.output, seed)
    const remarks = [
      ...(arrivals.length > 0 ? [] : ['The trace has no times: all requests arrive at once.']),
      ...(this.sharedRuns > 0 ? ['Prompts of the trace share text; those of the stream do not.'] : []),
      ...(this.followers > 0 ? ['Rows of the trace wait for others; requests of the stream do not.'] : []),
    ]
    return {
      stream: {
        arrivals: arrivals[0]?.part ?? { name: 'allAtOnce', requests: Math.max(1, this.rows) },
        structure: { name: 'single', input: input[0]!.part, output: output[0]!.part },
      },
      arrivals,
      input,
      output,
      lengthCorrelation: this.correlation(),
      remarks,
    }
  }

  private addTime(row: TraceRow): void {
    if (this.timed > 0) {
      const gap = row.time.seconds - this.last.seconds + (row.time.ticks - this.last.ticks) * SECONDS_PER_TICK
      this.gapSum += gap
      this.gapSquares += gap * gap
      if (this.timed % this.stride === 0) this.gaps.push(gap)
      if (this.gaps.length > KEPT_GAPS) {
        this.gaps = this.gaps.filter((_, i) => i % 2 === 1)
        this.stride *= 2
      }
    }
    this.timed++
    copyTime(this.last, row.time)
  }

  private correlation(): number | undefined {
    const { x, y, xx, yy, xy } = this.sums
    const n = this.rows
    const spread = (n * xx - x * x) * (n * yy - y * y)
    return spread > 0 ? (n * xy - x * y) / Math.sqrt(spread) : undefined
  }

  private fitArrivals(seed: number): Fitted[] {
    const n = this.timed - 1
    if (n < 1 || this.gapSum <= 0) return []
    const mean = this.gapSum / n
    const cv = Math.sqrt(Math.max(0, this.gapSquares / n - mean * mean)) / mean
    const requestsPerSecond = 1 / mean
    const specs: PartSpec[] = [
      { name: 'constant', requestsPerSecond },
      { name: 'poisson', requestsPerSecond },
    ]
    if (cv > 0.01) specs.push({ name: 'gamma', requestsPerSecond, cv })
    const shape = weibullShape(cv)
    if (shape !== undefined) specs.push({ name: 'weibull', requestsPerSecond, shape })
    const real = Float64Array.from(this.gaps).sort()
    return nearestFirst(specs.map((part) => ({ part, distance: distance(real, drawGaps(part, seed)) })))
  }
}

/** The shape of Weibull gaps with this coefficient of variation, by bisection of cv^2 + 1 = G(1 + 2/k) / G(1 + 1/k)^2. */
export function weibullShape(cv: number): number | undefined {
  const wanted = log(cv * cv + 1)
  let low = 0.1
  let high = 100
  const at = (k: number) => logGamma(1 + 2 / k) - 2 * logGamma(1 + 1 / k)
  if (!(at(high) < wanted && wanted < at(low))) return undefined
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (at(middle) > wanted) low = middle
    else high = middle
  }
  return low
}

function drawGaps(part: PartSpec, seed: number): Float64Array {
  const process = trafficParts(seed, 'fit', createPromptTree()).arrivals('fit.arrivals', part, part.name)
  const time = zeroTime()
  const before = zeroTime()
  process.peek(before)
  return Float64Array.from({ length: DRAWS }, () => {
    process.advance()
    process.peek(time)
    const gap = time.seconds - before.seconds + (time.ticks - before.ticks) * SECONDS_PER_TICK
    copyTime(before, time)
    return gap
  }).sort()
}

function fitLengths(counts: LengthCounts, seed: number): Fitted[] {
  const sorted = counts.sorted()
  const total = sorted.reduce((sum, [, n]) => sum + n, 0)
  const mean = sorted.reduce((sum, [tokens, n]) => sum + tokens * n, 0) / total
  const variance = sorted.reduce((sum, [tokens, n]) => sum + (tokens - mean) * (tokens - mean) * n, 0) / total
  if (variance === 0) return [{ part: { name: 'fixed', tokens: mean }, distance: 0 }]
  const maximum = sorted.at(-1)![0]
  const specs: PartSpec[] = [
    { name: 'lognormal', mean, cv: Math.sqrt(variance) / mean, maximum },
    { name: 'exponential', mean, maximum },
    { name: 'quantiles', points: quantilePoints(counts) },
  ]
  const real = spread(sorted, total)
  return nearestFirst(specs.map((part) => ({ part, distance: distance(real, drawLengths(part, seed)) })))
}

function quantilePoints(counts: LengthCounts): { quantile: number; tokens: number }[] {
  return Array.from({ length: QUANTILE_STEPS + 1 }, (_, i) => {
    const quantile = i / QUANTILE_STEPS
    return { quantile, tokens: Math.round(counts.at(quantile)!) }
  })
}

function drawLengths(part: PartSpec, seed: number): Float64Array {
  const lengths = trafficParts(seed, 'fit', createPromptTree()).length('fit.lengths', part, part.name)
  return Float64Array.from({ length: DRAWS }, () => lengths.next()).sort()
}

/** At most DRAWS lengths in rising order, spread evenly over all. */
function spread(sorted: readonly [number, number][], total: number): Float64Array {
  const size = Math.min(DRAWS, total)
  const lengths = new Float64Array(size)
  let entry = 0
  let before = 0
  for (let i = 0; i < size; i++) {
    const rank = ((i + 0.5) * total) / size
    while (before + sorted[entry]![1] <= rank) before += sorted[entry++]![1]
    lengths[i] = sorted[entry]![0]
  }
  return lengths
}

/** Greatest distance between the two empirical distributions; both sorted. */
function distance(a: Float64Array, b: Float64Array): number {
  let i = 0
  let j = 0
  let greatest = 0
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i]!, b[j]!)
    while (i < a.length && a[i]! <= value) i++
    while (j < b.length && b[j]! <= value) j++
    greatest = Math.max(greatest, Math.abs(i / a.length - j / b.length))
  }
  return greatest
}

const nearestFirst = (fitted: Fitted[]): Fitted[] => fitted.sort((a, b) => a.distance - b.distance)
