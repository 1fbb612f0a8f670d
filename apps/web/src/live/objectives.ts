import type { Frame, RequestSample, ScenarioFacts } from '@windtunnel/protocol'
import { percent, promise, text, whole } from '../format/quantity.ts'

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

/** The pool with the longest queue, and how full its KV caches are on average. */
const longestQueue = ({ replicas }: Frame): { pool: string; waiting: number; kvUse: number } | undefined => {
  const pools = new Map<string, { waiting: number; kv: number; up: number }>()
  for (const { pool, state, waiting, kvUse } of replicas) {
    if (state !== 'up') continue
    const sum = pools.get(pool) ?? { waiting: 0, kv: 0, up: 0 }
    pools.set(pool, { waiting: sum.waiting + waiting, kv: sum.kv + kvUse, up: sum.up + 1 })
  }
  const [first] = [...pools].sort(([, a], [, b]) => b.waiting - a.waiting)
  return first === undefined
    ? undefined
    : { pool: first[0], waiting: first[1].waiting, kvUse: first[1].kv / first[1].up }
}

const fullKv = 0.9

/** Why first tokens are late, from the sampled requests and the queues; undefined while there are too few samples. */
export const lateFirstTokens = (frame: Frame, samples: readonly RequestSample[]): string | undefined => {
  const share = queueShare(samples)
  const queue = longestQueue(frame)
  if (share === undefined || queue === undefined) return undefined
  const inQueue = Math.round(share * 100)
  if (inQueue < 50)
    return `${100 - inQueue} % of TTFT is prefill, ${inQueue} % queue: the prompts themselves take long to compute.`
  const why = queue.kvUse > fullKv ? `its KV cache is ${text(percent(queue.kvUse))} full` : 'its engines are busy'
  return `Requests wait: ${inQueue} % of TTFT is queue, ${100 - inQueue} % prefill. ${whole(queue.waiting)} wait for ${queue.pool} now, since ${why}; another ${queue.pool} replica would shorten the queue.`
}

/**
 * What bounds the fleet in the light of the promises it breaks. The frame's own sentence names decode when nothing is
 * behind; while only first tokens are late, what makes them late is told instead.
 */
export const boundSentence = (
  frame: Frame,
  samples: readonly RequestSample[],
  broken: readonly Promised[],
): string | undefined => {
  const onlyFirst = broken.length > 0 && broken.every(({ metric }) => metric === 'ttft')
  const late = broken.some(({ metric }) => metric === 'ttft') ? lateFirstTokens(frame, samples) : undefined
  const preempting = frame.preemptionsPerSecond > 0 && frame.kvUse > fullKv
  if (late === undefined || preempting) return frame.bottleneck
  return onlyFirst || frame.bottleneck === undefined ? late : `${late} ${frame.bottleneck}`
}
