import type { Objectives } from '@windtunnel/metrics/timeline/objectives'
import type { Scenario } from '../schema/scenario.ts'

/** The objectives by service class, in the order of the scenario; requests carry the index. */
export const objectivesOf = (scenario: Scenario): Objectives[] =>
  Object.entries(scenario.objectives ?? {}).map(([serviceClass, limits]) => ({
    serviceClass,
    ...(limits.ttftSeconds === undefined ? {} : { ttft: limits.ttftSeconds }),
    ...(limits.tpotSeconds === undefined ? {} : { tpot: limits.tpotSeconds }),
    ...(limits.itlSeconds === undefined ? {} : { itl: limits.itlSeconds }),
    ...(limits.e2eSeconds === undefined ? {} : { e2e: limits.e2eSeconds }),
  }))

/** Index of a service class by name; the first when none is named. */
export const serviceClassIndex = (scenario: Scenario, name: string | undefined): number =>
  name === undefined ? 0 : Math.max(0, Object.keys(scenario.objectives ?? {}).indexOf(name))
