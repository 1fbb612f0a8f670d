import type { Frame } from '@windtunnel/protocol'

export const STEP_PARTS = {
  kv: 'reading the KV cache',
  weights: 'reading weights',
  compute: 'arithmetic',
  collectives: 'communication between accelerators',
  host: 'host and launch overhead',
} as const

export const percent = (part: number): string => `${Math.round(part * 100)} %`

/** A promise that is broken in the window of a frame. */
export interface Breach {
  readonly serviceClass: string
  readonly metric: 'ttft' | 'itl' | 'tpot' | 'e2e'
  readonly limit: number
  readonly p99: number
}

/** Promises whose 99th percentile is beyond their limit now. ITL and TPOT are measured over the whole fleet. */
export function breachesOf(frame: Pick<Frame, 'objectives' | 'classes' | 'ttft' | 'itl' | 'tpot' | 'e2e'>): Breach[] {
  const found: Breach[] = []
  for (const { serviceClass, metric, limit } of frame.objectives) {
    if (metric === 'all' || limit === undefined) continue
    const own = frame.classes.find((one) => one.serviceClass === serviceClass) ?? frame
    const p99 = metric === 'ttft' || metric === 'e2e' ? own[metric]?.p99 : frame[metric]?.p99
    if (p99 !== undefined && p99 > limit) found.push({ serviceClass, metric, limit, p99 })
  }
  return found
}

/** The part of the time to the first token that passes in the queue, at the 90th percentile; undefined when none came. */
export function queueShare({ ttft, queue }: Pick<Frame, 'ttft' | 'queue'>): number | undefined {
  if (ttft === undefined || queue === undefined || ttft.p90 <= 0) return undefined
  return Math.min(1, queue.p90 / ttft.p90)
}

/** The largest part of a decode step of the busiest replica, and its share of the step; undefined when none decodes. */
export function stepBound({ step }: Pick<Frame, 'step'>): { part: string; share: number } | undefined {
  if (step === undefined || step.seconds <= 0) return undefined
  const names = Object.keys(STEP_PARTS) as (keyof typeof STEP_PARTS)[]
  const most = names.reduce((a, b) => (step[b] > step[a] ? b : a))
  return { part: STEP_PARTS[most], share: step[most] / step.seconds }
}

/** What makes a promise broken, in a few words: the queue or prefill for first tokens, the decode step for later ones. */
export function whyLate(frame: Frame, metric: Breach['metric']): string | undefined {
  if (metric === 'ttft') {
    const queued = queueShare(frame)
    if (queued === undefined) return undefined
    return queued >= 0.5 ? `${percent(queued)} of it is queue` : `${percent(1 - queued)} of it is prefill`
  }
  const bound = metric === 'e2e' ? undefined : stepBound(frame)
  return bound === undefined ? undefined : `${percent(bound.share)} of a decode step is ${bound.part}`
}
