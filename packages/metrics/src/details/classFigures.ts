import { Histogram } from '../sketch/histogram.ts'
import { distributionOf } from '../summary/distribution.ts'
import { ticksBetweenSeconds } from '../ticks.ts'
import { e2eMet, type Objectives, tpotMet, ttftMet } from '../timeline/objectives.ts'
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
    const { ending, arrival, firstToken, ended, outputTokens } = timeline
    if (ending !== 'completed') return
    const ttft = ttftMet(timeline, this.#objectives)
    const tpot = tpotMet(timeline, this.#objectives)
    const e2e = e2eMet(timeline, this.#objectives)
    this.#completed += 1
    if (ttft && tpot && e2e) this.#good += 1
    if (ttft) this.#ttftMet += 1
    if (tpot) this.#tpotMet += 1
    if (e2e) this.#e2eMet += 1
    this.#e2e.record(ticksBetweenSeconds(arrival, ended))
    if (firstToken === undefined || outputTokens < 2) return
    this.#tpot.record(Math.round(ticksBetweenSeconds(firstToken, ended) / (outputTokens - 1)))
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
