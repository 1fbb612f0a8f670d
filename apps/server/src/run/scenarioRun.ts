import { routers } from '@windtunnel/orchestrator/routers/index'
import { schedulers } from '@windtunnel/orchestrator/schedulers/index'
import type { PoolFacts, ScenarioFacts, TrafficMix } from '@windtunnel/protocol'
import { type BuiltRun, buildRun } from '@windtunnel/scenario/build/buildRun'
import type { ScenarioFiles } from '@windtunnel/scenario/build/files'
import { labelsOf } from '@windtunnel/scenario/build/labels'
import { measuredWindowOf } from '@windtunnel/scenario/build/measuredWindow'
import { detailsOptionsOf } from '@windtunnel/scenario/build/replicaProfiles'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import type { PoolNumbers, PreparedRun, PrepareRun } from './preparedRun.ts'

/** A rate control reaches so many times the rate at the start. */
const RATE_HEADROOM = 4
const SAMPLES_PER_SECOND = 2
const SAMPLED_ONE_IN = 10

/**
 * Makes a scenario ready to be played live. `openFiles` is asked anew for every beginning, so that a reset reads a trace
 * from its start. The promise rejects with the error of the build, written for the user.
 */
export const prepareScenario =
  (scenario: Scenario, openFiles: () => Promise<ScenarioFiles> = async () => ({})): PrepareRun =>
  async (seed = scenario.seed) => {
    const files = await openFiles()
    try {
      return { ...preparedOf(buildRun({ ...scenario, seed }, files)), close: () => void closeFiles(files) }
    } catch (cause) {
      closeFiles(files)
      throw cause
    }
  }

/** A run can end, or begin again, before its trace does. */
const closeFiles = ({ trace }: ScenarioFiles): void => void trace?.[Symbol.asyncIterator]().return?.()

function preparedOf(built: BuiltRun): PreparedRun {
  const { scenario, refill } = built
  const { durationSeconds } = scenario.run
  return {
    simulation: built.simulation,
    facts: factsOf(built),
    objectives: built.objectives,
    pools: new Map(built.pools.map((parts) => [parts.pool.name, numbersOf(parts)])),
    mix: () => mixOf(built),
    extrapolated: labelsOf(built, 0).cost.extrapolated,
    window: measuredWindowOf(scenario),
    details: detailsOptionsOf(built),
    linkBytesPerSecond: (fromPool) => linkBytesPerSecond(scenario, fromPool),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(refill === undefined ? {} : { knownUntil: () => refill.knownUntil(), fill: () => refill.fill() }),
  }
}

function numbersOf(parts: BuiltRun['pools'][number]): PoolNumbers {
  const { acceleratorsPerReplica, dollarsPerAcceleratorHour: price } = parts
  return {
    stepCost: parts.cost,
    acceleratorsPerReplica,
    ...(price === undefined ? {} : { dollarsPerReplicaHour: price * acceleratorsPerReplica }),
  }
}

function factsOf(built: BuiltRun): ScenarioFacts {
  const { scenario, requestsPerSecond: rate } = built
  const { durationSeconds } = scenario.run
  const price = meanPrice(built)
  return {
    name: scenario.name,
    seed: scenario.seed,
    model: built.architecture.name,
    pools: built.pools.map(poolFacts),
    objectives: [...built.objectives],
    backend: scenario.cost.backend,
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(price === undefined ? {} : { dollarsPerAcceleratorHour: price }),
    ...(rate === undefined
      ? {}
      : {
          arrivalRate: rate,
          rateCounts: rateCounts(scenario),
          maxArrivalRate: RATE_HEADROOM * rate,
        }),
    rateSteerable: built.steerable,
    mix: mixOf(built),
    router: scenario.router.name,
    routers: [...routers.keys()],
    schedulers: [...schedulers.keys()],
    speeds: [1, 10, 100, 'max'],
    sampledOneIn: rate === undefined ? SAMPLED_ONE_IN : Math.max(1, Math.round(rate / SAMPLES_PER_SECOND)),
    warnings: [...built.warnings],
  }
}

function mixOf({ source }: BuiltRun): TrafficMix {
  const { streams, promptScale, outputScale } = source.mix
  return {
    streams: streams.map(({ name, share }) => (share === undefined ? { name } : { name, share })),
    promptScale,
    outputScale,
  }
}

function poolFacts({ pool, acceleratorsPerReplica }: BuiltRun['pools'][number]): PoolFacts {
  return {
    name: pool.name,
    role: pool.role,
    replicas: pool.replicas,
    engine: pool.engine.name,
    scheduler: pool.engine.scheduler,
    accelerator: pool.hardware,
    acceleratorsPerReplica,
    layout: layoutText(pool.layout),
  }
}

/** Structures in which one arrival is the beginning of several requests. */
const CONVERSATIONS: readonly string[] = ['sessions', 'agents']

/** What the rate of the traffic counts. */
function rateCounts({ traffic }: Scenario): 'requests' | 'sessions' {
  const structures = traffic.streams?.map(({ structure }) => structure) ?? [traffic.structure]
  return structures.some((one) => one !== undefined && CONVERSATIONS.includes(one.name)) ? 'sessions' : 'requests'
}

/** TP4, or TP8 PP2: the degrees above 1. */
function layoutText(layout: Readonly<Record<'tp' | 'pp' | 'dp' | 'ep' | 'sp', number>>): string {
  const degrees = (['tp', 'pp', 'dp', 'ep', 'sp'] as const).filter((degree) => layout[degree] > 1)
  return degrees.length === 0 ? 'TP1' : degrees.map((degree) => `${degree.toUpperCase()}${layout[degree]}`).join(' ')
}

/** Mean over the accelerators at the start; undefined when some have no price. */
function meanPrice({ pools }: BuiltRun): number | undefined {
  let dollars = 0
  let accelerators = 0
  for (const { pool, acceleratorsPerReplica, dollarsPerAcceleratorHour } of pools) {
    if (dollarsPerAcceleratorHour === undefined) return undefined
    accelerators += pool.replicas * acceleratorsPerReplica
    dollars += pool.replicas * acceleratorsPerReplica * dollarsPerAcceleratorHour
  }
  return accelerators > 0 ? dollars / accelerators : undefined
}

/** Each prefill replica sends over a link of its own. */
function linkBytesPerSecond({ fleet, transfer }: Scenario, fromPool: string): number | undefined {
  const pool = fleet.find((one) => one.name === fromPool)
  return pool === undefined ? undefined : pool.replicas * transfer.bytesPerSecond
}
