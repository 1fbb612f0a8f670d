import type { MixableSource } from '@windtunnel/workload'
import type { Refill } from '../drivers/batch.ts'
import type { Scenario } from '../schema/scenario.ts'
import { drawnTraffic } from './drawnTraffic.ts'
import type { ScenarioFiles } from './files.ts'
import { tracedTraffic } from './tracedTraffic.ts'

/** The traffic of a scenario, and how more of it is read where it comes in pieces. */
export interface Traffic {
  readonly source: MixableSource
  readonly refill: Refill | undefined
  /** Mean arrivals a second at the start; undefined where there is no rate, or it is not known yet. */
  readonly requestsPerSecond: number | undefined
  readonly steerable: boolean
  /** What is to be said of the traffic so far, such as rows that were skipped. */
  readonly remarks: () => readonly string[]
}

/** Draws or replays. Throws a BuildError. */
export function trafficOf(scenario: Scenario, files: ScenarioFiles): Traffic {
  const { trace } = scenario.traffic
  if (trace !== undefined) return tracedTraffic(scenario, trace, files)
  const source = drawnTraffic(scenario)
  const requestsPerSecond = source.meanRate
  return { source, refill: undefined, requestsPerSecond, steerable: requestsPerSecond !== undefined, remarks: () => [] }
}
