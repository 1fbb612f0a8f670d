import type { Frame, ScenarioFacts } from '@windtunnel/protocol'
import { promise } from '../format/quantity.ts'

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
