import type { Frame, RequestSample, ScenarioFacts } from '@windtunnel/protocol'

export type PromisedMetric = 'ttft' | 'itl' | 'tpot' | 'e2e'

/** The strictest promise on a metric over the service classes, in seconds; undefined where none is made. */
export const strictestLimit = (scenario: ScenarioFacts | undefined, metric: PromisedMetric): number | undefined => {
  let strictest: number | undefined
  for (const objective of scenario?.objectives ?? []) {
    const limit = objective[metric]
    if (limit !== undefined && (strictest === undefined || limit < strictest)) strictest = limit
  }
  return strictest
}

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

/** The promised metrics whose 99th percentile is above the promise in this window. */
export const breaches = (scenario: ScenarioFacts | undefined, frame: Frame | undefined): PromisedMetric[] =>
  (['ttft', 'itl', 'tpot', 'e2e'] as const).filter(
    (metric) => standing(frame?.[metric]?.p99, strictestLimit(scenario, metric)) === 'breach',
  )

const fewestSamples = 5
const latestSamples = 30

/**
 * Where the time to the first token went for the latest sampled requests, such as "62 % queue, 38 % prefill"; undefined
 * while there are too few. Queue and prefill follow one another up to the first token.
 */
export const firstTokenParts = (samples: readonly RequestSample[]): string | undefined => {
  const latest = samples.slice(-latestSamples).filter((sample) => sample.ttft !== undefined)
  if (latest.length < fewestSamples) return undefined
  const queue = latest.reduce((sum, sample) => sum + sample.queue, 0)
  const prefill = latest.reduce((sum, sample) => sum + sample.prefill, 0)
  if (queue + prefill === 0) return undefined
  const share = Math.round((100 * queue) / (queue + prefill))
  return share >= 50 ? `${share} % queue, ${100 - share} % prefill` : `${100 - share} % prefill, ${share} % queue`
}
