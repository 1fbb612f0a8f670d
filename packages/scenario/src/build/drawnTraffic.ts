import type { RatedSource } from '@windtunnel/workload/sources/merged'
import { syntheticSource } from '@windtunnel/workload/sources/synthetic'
import type { Scenario } from '../schema/scenario.ts'
import { streamNames } from '../schema/streamNames.ts'
import { at, BuildError } from './buildError.ts'
import { serviceClassIndex } from './objectives.ts'

/** The traffic that a scenario draws from distributions. Throws a BuildError that says which option cannot be. */
export function drawnTraffic(scenario: Scenario): RatedSource {
  const { traffic, run, seed } = scenario
  const { arrivals, structure, clients } = traffic
  const alone =
    arrivals === undefined || structure === undefined
      ? []
      : [{ arrivals, structure, clients, tenant: 0, serviceClass: undefined }]
  const streams = traffic.streams ?? alone
  if (streams.length === 0) throw new BuildError('traffic', 'there is nothing to draw: no arrivals and no streams')
  return at('traffic', () =>
    syntheticSource({
      seed,
      names: traffic.streams === undefined ? ['traffic'] : streamNames(traffic.streams),
      streams: streams.map((stream) => ({
        ...stream.clients,
        arrivals: stream.arrivals,
        structure: stream.structure,
        tenant: stream.tenant,
        serviceClass: serviceClassIndex(scenario, stream.serviceClass),
      })),
      ...(run.maxRequests === undefined ? {} : { requests: run.maxRequests }),
    }),
  )
}
