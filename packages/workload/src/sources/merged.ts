import { compareTime, type Time, zeroTime } from '@windtunnel/des'
import { CannotSteer } from '../parts/errors.ts'
import type { PromptTree } from '../promptTree.ts'
import type { RequestDraft } from '../request.ts'
import type { Ending, MixableSource } from '../requestSource.ts'
import { type MixChange, orderedWeights, type TrafficMix } from './mix.ts'

/** A source that knows its mean rate, so that several can be steered together. */
export interface RatedSource extends MixableSource {
  /** Mean requests per second now; undefined when it has no rate. */
  readonly meanRate: number | undefined
}

/** Sessions of different sources must not meet: numbers are spread by the number of sources. */
class MergedSource implements RatedSource {
  readonly tree: PromptTree
  readonly open: boolean
  private readonly sources: readonly RatedSource[]
  private readonly other: Time = zeroTime()
  private readonly first: Time = zeroTime()
  /** Shares of the streams once a person has set them; before that their rates say them. */
  private weights: readonly number[] | undefined

  constructor(sources: readonly RatedSource[]) {
    this.sources = sources
    this.tree = sources[0]!.tree
    this.open = sources.every(({ open = false }) => open)
  }

  get meanRate(): number | undefined {
    let sum = 0
    for (const source of this.sources) {
      if (source.meanRate === undefined) return undefined
      sum += source.meanRate
    }
    return sum
  }

  peek(into: Time): boolean {
    return this.earliest(into) >= 0
  }

  take(into: RequestDraft): void {
    const which = this.earliest(this.first)
    this.sources[which]!.take(into)
    into.tag = into.tag * this.sources.length + which
    if (into.session > 0) into.session = (into.session - 1) * this.sources.length + which + 1
  }

  ended(tag: number, ending: Ending, time: Time): void {
    const which = tag % this.sources.length
    this.sources[which]!.ended((tag - which) / this.sources.length, ending, time)
  }

  setRate(requestsPerSecond: number, now: Time): void {
    const mean = this.meanRate
    if (mean === undefined)
      throw new CannotSteer('A part of this traffic is a closed loop or a batch, and has no rate to change.')
    const shares = this.shares(mean)
    for (const [i, source] of this.sources.entries()) source.setRate(requestsPerSecond * shares[i]!, now)
  }

  get mix(): TrafficMix {
    const mean = this.meanRate
    const shares = mean === undefined ? undefined : this.shares(mean)
    const { promptScale, outputScale } = this.sources[0]!.mix
    const streams = this.sources.map((source, i) => ({ name: nameOf(source), share: shares?.[i] }))
    return { streams, promptScale, outputScale }
  }

  setMix(change: MixChange, now: Time): void {
    const { weights, ...lengths } = change
    const ordered = weights === undefined ? undefined : this.checkedWeights(weights)
    // The first source refuses factors before any has taken them: all hold the same.
    for (const source of this.sources) source.setMix(lengths, now)
    if (ordered !== undefined) this.setShares(ordered, now)
  }

  private checkedWeights(weights: Readonly<Record<string, number>>): number[] {
    const closed = this.sources.find((source) => source.meanRate === undefined)
    if (closed === undefined) return orderedWeights(weights, this.sources.map(nameOf))
    throw new CannotSteer(
      `The stream ${nameOf(closed)} is a closed loop or a batch: it has no rate of which others could take a share.`,
    )
  }

  private setShares(weights: readonly number[], now: Time): void {
    const mean = this.meanRate!
    this.weights = weights
    for (const [i, share] of this.shares(mean).entries()) {
      const source = this.sources[i]!
      const rate = mean * share
      // A stream whose rate stays is left alone: to set it again would round its next arrival again.
      if (Math.abs(rate - source.meanRate!) > 1e-9 * mean) source.setRate(rate, now)
    }
  }

  private shares(mean: number): number[] {
    const { weights, sources } = this
    if (weights !== undefined) {
      const sum = weights.reduce((before, weight) => before + weight, 0)
      return weights.map((weight) => weight / sum)
    }
    return sources.map((source) => (mean > 0 ? source.meanRate! / mean : 1 / sources.length))
  }

  private earliest(into: Time): number {
    let which = -1
    for (let i = 0; i < this.sources.length; i++) {
      if (!this.sources[i]!.peek(this.other)) continue
      if (which >= 0 && compareTime(this.other, into) >= 0) continue
      which = i
      into.seconds = this.other.seconds
      into.ticks = this.other.ticks
    }
    return which
  }
}

const nameOf = (source: RatedSource): string => source.mix.streams[0]!.name

/** Several sources over one prompt tree as one; at one instant in the order of the list. */
export function mergeSources(sources: readonly RatedSource[]): RatedSource {
  const [first] = sources
  if (first === undefined) throw new RangeError('mergeSources: there must be at least one source')
  if (sources.some((source) => source.tree !== first.tree))
    throw new RangeError('mergeSources: all sources must share one prompt tree')
  if (new Set(sources.map(nameOf)).size < sources.length)
    throw new RangeError('mergeSources: all sources must have names of their own')
  return sources.length === 1 ? first : new MergedSource(sources)
}
