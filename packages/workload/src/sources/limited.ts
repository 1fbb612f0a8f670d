import { compareTime, type Time, timeFromSeconds } from '@windtunnel/des'
import type { PromptTree } from '../promptTree.ts'
import type { RequestDraft } from '../request.ts'
import type { Ending } from '../requestSource.ts'
import type { RatedSource } from './merged.ts'
import type { MixChange, TrafficMix } from './mix.ts'

/** Where traffic stops: after a number of requests, or before a virtual time in seconds. */
export interface Limits {
  readonly requests?: number
  readonly untilSeconds?: number
}

class LimitedSource implements RatedSource {
  readonly tree: PromptTree
  readonly open: boolean
  private left: number
  private readonly source: RatedSource
  private readonly until: Time | undefined

  constructor(source: RatedSource, limits: Limits) {
    this.source = source
    this.tree = source.tree
    this.open = source.open ?? false
    this.left = limits.requests ?? Number.POSITIVE_INFINITY
    this.until = limits.untilSeconds === undefined ? undefined : timeFromSeconds(limits.untilSeconds)
  }

  get meanRate(): number | undefined {
    return this.source.meanRate
  }

  get mix(): TrafficMix {
    return this.source.mix
  }

  peek(into: Time): boolean {
    if (this.left <= 0 || !this.source.peek(into)) return false
    return this.until === undefined || compareTime(into, this.until) < 0
  }

  take(into: RequestDraft): void {
    this.left--
    this.source.take(into)
  }

  ended(tag: number, ending: Ending, time: Time): void {
    this.source.ended(tag, ending, time)
  }

  setRate(requestsPerSecond: number, now: Time): void {
    this.source.setRate(requestsPerSecond, now)
  }

  setMix(change: MixChange, now: Time): void {
    this.source.setMix(change, now)
  }
}

/** The source up to its limits; the source itself when there are none. */
export const limitSource = (source: RatedSource, limits: Limits): RatedSource =>
  limits.requests === undefined && limits.untilSeconds === undefined ? source : new LimitedSource(source, limits)
