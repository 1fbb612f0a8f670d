import { compareTime, type Time, zeroTime } from '@windtunnel/des'
import { CannotSteer } from '../parts/errors.ts'
import type { PromptTree } from '../promptTree.ts'
import type { RequestDraft } from '../request.ts'
import type { Ending, SteerableSource } from '../requestSource.ts'

/** A source that knows its mean rate, so that several can be steered together. */
export interface RatedSource extends SteerableSource {
  /** Mean requests per second now; undefined when it has no rate. */
  readonly meanRate: number | undefined
}

/** Sessions of different sources must not meet: numbers are spread by the number of sources. */
class MergedSource implements RatedSource {
  readonly tree: PromptTree
  private readonly sources: readonly RatedSource[]
  private readonly other: Time = zeroTime()
  private readonly first: Time = zeroTime()

  constructor(sources: readonly RatedSource[]) {
    this.sources = sources
    this.tree = sources[0]!.tree
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
    for (const source of this.sources) {
      const share = mean > 0 ? source.meanRate! / mean : 1 / this.sources.length
      source.setRate(requestsPerSecond * share, now)
    }
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

/** Several sources over one prompt tree as one; at one instant in the order of the list. */
export function mergeSources(sources: readonly RatedSource[]): RatedSource {
  const [first] = sources
  if (first === undefined) throw new RangeError('mergeSources: there must be at least one source')
  if (sources.some((source) => source.tree !== first.tree))
    throw new RangeError('mergeSources: all sources must share one prompt tree')
  return sources.length === 1 ? first : new MergedSource(sources)
}
