import { e2eOf, type RequestTimeline, tpotOf, ttftOf } from './requestTimeline.ts'

/** What a service class is promised, in seconds. A limit that is absent is not promised. */
export interface Objectives {
  readonly serviceClass: string
  readonly ttft?: number
  readonly tpot?: number
  readonly e2e?: number
  /** Limit on pooled gaps. It concerns gaps, not requests, and so has no part in goodput. */
  readonly itl?: number
}

/** A promise is met at the limit; a TPOT that is undefined (one token) counts as met. */
const within = (value: number | undefined, limit: number): boolean => value === undefined || value <= limit

export const ttftMet = (t: RequestTimeline, { ttft }: Objectives): boolean =>
  ttft === undefined || within(ttftOf(t), ttft)
export const tpotMet = (t: RequestTimeline, { tpot }: Objectives): boolean =>
  tpot === undefined || within(tpotOf(t), tpot)
export const e2eMet = (t: RequestTimeline, { e2e }: Objectives): boolean => e2e === undefined || within(e2eOf(t), e2e)

/** Whether a completed request met every limit of its class; a request that did not complete met none. */
export const allMet = (t: RequestTimeline, o: Objectives): boolean =>
  t.ending === 'completed' && ttftMet(t, o) && tpotMet(t, o) && e2eMet(t, o)

/** Whether any class is promised something that its requests can miss. */
export const promiseAnything = (objectives: readonly Objectives[]): boolean =>
  objectives.some(({ ttft, tpot, e2e }) => ttft !== undefined || tpot !== undefined || e2e !== undefined)

/** The objectives of a class by its index; a class without any promises nothing. */
export const objectivesOf = (objectives: readonly Objectives[], serviceClass: number): Objectives =>
  objectives[serviceClass] ?? NO_OBJECTIVES

const NO_OBJECTIVES: Objectives = { serviceClass: 'default' }
