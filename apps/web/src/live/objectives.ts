import type { Frame, RequestSample, ScenarioFacts } from '@windtunnel/protocol'
import { duration, percent, promise, text, whole } from '../format/quantity.ts'

export type PromisedMetric = 'ttft' | 'itl' | 'tpot' | 'e2e'

/** A promise on a metric; `serviceClass` names whose it is where there are several classes. */
export interface Promised {
  metric: PromisedMetric
  limit: number
  serviceClass?: string
}

const severalClasses = (scenario: ScenarioFacts | undefined): boolean => (scenario?.objectives.length ?? 0) > 1

/** The strictest promise on a metric over the service classes, in seconds; undefined where none is made. */
export const strictest = (scenario: ScenarioFacts | undefined, metric: PromisedMetric): Promised | undefined => {
  let found: Promised | undefined
  for (const objective of scenario?.objectives ?? []) {
    const limit = objective[metric]
    if (limit === undefined || (found !== undefined && limit >= found.limit)) continue
    found = severalClasses(scenario) ? { metric, limit, serviceClass: objective.serviceClass } : { metric, limit }
  }
  return found
}

/** The limit of the strictest promise, seconds. */
export const strictestLimit = (scenario: ScenarioFacts | undefined, metric: PromisedMetric): number | undefined =>
  strictest(scenario, metric)?.limit

/** How a 99th percentile stands to its promise. */
export const standing = (p99: number | undefined, limit: number | undefined): 'none' | 'met' | 'breach' =>
  limit === undefined || p99 === undefined ? 'none' : p99 > limit ? 'breach' : 'met'

export const metricNames: Record<PromisedMetric | 'all', string> = {
  ttft: 'TTFT',
  itl: 'ITL',
  tpot: 'TPOT',
  e2e: 'E2E',
  all: 'all',
}

const promisedMetrics = ['ttft', 'itl', 'tpot', 'e2e'] as const
/** A promise counts as kept when this share of the requests meets it: what a 99th percentile says. */
const keptShare = 0.99

/**
 * The promises that the window breaks: with one service class those whose 99th percentile is above the limit, with several
 * those that fewer than 99 % of the requests of a class met, since a percentile over all classes says nothing of one.
 */
export const breaches = (scenario: ScenarioFacts | undefined, frame: Frame | undefined): Promised[] => {
  if (!severalClasses(scenario))
    return promisedMetrics.flatMap((metric) => {
      const limit = strictestLimit(scenario, metric)
      return limit !== undefined && standing(frame?.[metric]?.p99, limit) === 'breach' ? [{ metric, limit }] : []
    })
  return (frame?.objectives ?? []).flatMap(({ metric, limit, met, serviceClass }) =>
    metric === 'all' || limit === undefined || met === undefined || met >= keptShare
      ? []
      : [{ metric, limit, serviceClass }],
  )
}

/** Such as "TTFT ≤ 2 s", or "batch: TTFT ≤ 2 s". */
export const promisedText = ({ metric, limit, serviceClass }: Promised): string =>
  `${serviceClass === undefined ? '' : `${serviceClass}: `}${metricNames[metric]} ≤ ${promise(limit)}`

const fewestSamples = 5
const latestSamples = 30

/** Of the time to the first token of the latest sampled requests, the share in the queue; undefined while they are few. */
export const queueShare = (samples: readonly RequestSample[]): number | undefined => {
  const latest = samples.slice(-latestSamples).filter((sample) => sample.ttft !== undefined)
  if (latest.length < fewestSamples) return undefined
  const queue = latest.reduce((sum, sample) => sum + sample.queue, 0)
  const prefill = latest.reduce((sum, sample) => sum + sample.prefill, 0)
  return queue + prefill === 0 ? undefined : queue / (queue + prefill)
}

/** The pool with the longest queue: how many wait for it, and what runs on one of its replicas on average. */
const longestQueue = ({ replicas }: Frame) => {
  const pools = new Map<string, { pool: string; waiting: number; running: number; kvUse: number; up: number }>()
  for (const { pool, state, waiting, running, kvUse } of replicas) {
    if (state !== 'up') continue
    const sum = pools.get(pool) ?? { pool, waiting: 0, running: 0, kvUse: 0, up: 0 }
    sum.waiting += waiting
    sum.running += running
    sum.kvUse += kvUse
    sum.up += 1
    pools.set(pool, sum)
  }
  const [longest] = [...pools.values()].sort((a, b) => b.waiting - a.waiting)
  return longest
}

/** Why first tokens are late, from the sampled requests and the queues; undefined while there are too few samples. */
export const lateFirstTokens = (frame: Frame, samples: readonly RequestSample[]): string | undefined => {
  const share = queueShare(samples)
  const queue = longestQueue(frame)
  if (share === undefined || queue === undefined) return undefined
  const inQueue = Math.round(share * 100)
  if (inQueue < 50) return `Prompts take long to compute: ${100 - inQueue} % of TTFT is prefill, ${inQueue} % queue.`
  const { pool, waiting, running, kvUse, up } = queue
  const busy = `whose replicas run ${whole(running / up)} each, KV ${text(percent(kvUse / up))} full`
  return `Requests wait: ${inQueue} % of TTFT is queue. ${whole(waiting)} wait for ${pool}, ${busy}; another ${pool} replica would help.`
}

const stepParts = {
  kv: 'reading the KV cache',
  weights: 'reading weights',
  compute: 'arithmetic',
  collectives: 'communication between accelerators',
  host: 'host and launch overhead',
} as const

/** What a decode step is bound by, from its breakdown. */
const boundOfStep = ({ step }: Frame): string | undefined => {
  if (step === undefined || step.seconds <= 0) return undefined
  const names = Object.keys(stepParts) as (keyof typeof stepParts)[]
  const most = names.reduce((a, b) => (step[b] > step[a] ? b : a))
  return `A step takes ${text(duration(step.seconds))}, ${text(percent(step[most] / step.seconds))} of it ${stepParts[most]}.`
}

const fullKv = 0.9

/**
 * What bounds the fleet in the light of the promises it breaks: while first tokens are late, what makes them late (and a
 * step, when tokens come too slowly as well); else the frame's own sentence.
 */
export const boundSentence = (
  frame: Frame,
  samples: readonly RequestSample[],
  broken: readonly Promised[],
): string | undefined => {
  const late = broken.some(({ metric }) => metric === 'ttft') ? lateFirstTokens(frame, samples) : undefined
  const preempting = frame.preemptionsPerSecond > 0 && frame.kvUse > fullKv
  if (late === undefined || preempting) return frame.bottleneck
  const slow = broken.some(({ metric }) => metric === 'itl' || metric === 'tpot') ? boundOfStep(frame) : undefined
  return slow === undefined ? late : `${late} ${slow}`
}
