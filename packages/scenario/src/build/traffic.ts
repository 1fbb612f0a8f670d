import type { RequestSource } from '@windtunnel/workload'
import type { Refill } from '../drivers/batch.ts'
import type { Scenario } from '../schema/scenario.ts'
import { BuildError } from './buildError.ts'
import { drawnTraffic } from './drawnTraffic.ts'
import type { ScenarioFiles } from './files.ts'

/** The traffic of a scenario, and how more of it is read where it comes in pieces. */
export interface Traffic {
  readonly source: RequestSource
  readonly refill: Refill | undefined
  readonly requestsPerSecond: number | undefined
}

export function trafficOf(scenario: Scenario, _files: ScenarioFiles): Traffic {
  if (scenario.traffic.trace !== undefined) throw new BuildError('traffic.trace', 'this version replays no traces')
  const source = drawnTraffic(scenario)
  return { source, refill: undefined, requestsPerSecond: source.meanRate }
}
