import { Histogram } from '../sketch/histogram.ts'
import { distributionOf } from '../summary/distribution.ts'
import { ticksBetweenSeconds } from '../ticks.ts'
import { allMet, e2eMet, type Objectives, tpotMet, ttftMet } from '../timeline/objectives.ts'
import type { RequestTimeline } from '../timeline/requestTimeline.ts'
import type { ClassDetails } from './runDetails.ts'

/** Counts and latencies of one service class. */
export class ClassFigures {
  arrived = 0
  #completed = 0
  #good = 0
  #ttftMet = 0
  #tpotMet = 0
  #e2eMet = 0
  readonly #ttft = new Histogram()
  readonly #tpot = new Histogram()
  readonly #e2e = new Histogram()
  readonly #objectives: Objectives

  constructor(objectives: Objectives) {
    this.#objectives = objectives
  }

  firstToken(ttftSeconds: number): void {
    this.#ttft.record(ticksBetweenSeconds(0, ttftSeconds))
  }

  ended(timeline: RequestTimeline): void {
    if (timeline.ending !== 'completed') return
    this.#completed += 1
    if (allMet(timeline, this.#objectives)) this.#good += 1
    if (ttftMet(timeline, this.#objectives)) this.#ttftMet += 1
    if (tpotMet(timeline, this.#objectives)) this.#tpotMet += 1
    if (e2eMet(timeline, this.#objectives)) this.#e2eMet += 1
    this.#e2e.record(ticksBetweenSeconds(timeline.arrival, timeline.ended))
    if (timeline.firstToken === undefined || timeline.outputTokens < 2) return
    const span = ticksBetweenSeconds(timeline.firstToken, timeline.ended)
    this.#tpot.record(Math.round(span / (timeline.outputTokens - 1)))
  }

  /** `gaps` are those of all classes: facts do not tell whose a gap is. */
  details(perSecond: number, gaps: Histogram): ClassDetails {
    const { serviceClass, ttft, tpot, e2e, itl } = this.#objectives
    const ofCompleted = (count: number): number => count / this.#completed
    const gapShare = itl === undefined ? undefined : gaps.shareAtMost(itl)
    return {
      serviceClass,
      arrived: this.arrived,
      completed: this.#completed,
      goodput: this.#good * perSecond,
      met: {
        ...(this.#completed === 0
          ? {}
          : {
              all: ofCompleted(this.#good),
              ...(ttft === undefined ? {} : { ttft: ofCompleted(this.#ttftMet) }),
              ...(tpot === undefined ? {} : { tpot: ofCompleted(this.#tpotMet) }),
              ...(e2e === undefined ? {} : { e2e: ofCompleted(this.#e2eMet) }),
            }),
        ...(gapShare === undefined ? {} : { itl: gapShare }),
      },
      ttft: distributionOf(this.#ttft),
      tpot: distributionOf(this.#tpot),
      e2e: distributionOf(this.#e2e),
    }
  }
}
