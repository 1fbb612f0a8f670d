import { routers } from '@windtunnel/orchestrator/routers/index'
import { schedulers } from '@windtunnel/orchestrator/schedulers/index'
import type { ObjectiveFacts, PoolFacts, ScenarioFacts } from '@windtunnel/protocol'
import { type BuiltRun, buildRun } from '@windtunnel/scenario/build/buildRun'
import type { PoolParts } from '@windtunnel/scenario/build/poolParts'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import type { PoolNumbers, PreparedRun, PrepareRun } from '@windtunnel/server/run/preparedRun'

const samplesASecond = 2

const layoutText = (layout: PoolParts['pool']['layout']): string =>
  Object.entries(layout)
    .filter(([, degree]) => degree > 1)
    .map(([name, degree]) => `${name.toUpperCase()}${degree}`)
    .join(' ') || 'TP1'

const poolFacts = ({ pool, accelerator, acceleratorsPerReplica }: PoolParts): PoolFacts => ({
  name: pool.name,
  role: pool.role,
  replicas: pool.replicas,
  engine: pool.engine.name,
  scheduler: pool.engine.scheduler,
  accelerator: accelerator.name,
  acceleratorsPerReplica,
  layout: layoutText(pool.layout),
})

/** Mean price of an accelerator over the fleet; undefined unless all have one. */
const meanPrice = (pools: readonly PoolParts[]): number | undefined => {
  let dollars = 0
  let accelerators = 0
  for (const { pool, acceleratorsPerReplica, dollarsPerAcceleratorHour } of pools) {
    if (dollarsPerAcceleratorHour === undefined) return undefined
    dollars += pool.replicas * acceleratorsPerReplica * dollarsPerAcceleratorHour
    accelerators += pool.replicas * acceleratorsPerReplica
  }
  return accelerators === 0 ? undefined : dollars / accelerators
}

const factsOf = (run: BuiltRun): ScenarioFacts => {
  const { scenario, pools, requestsPerSecond } = run
  const price = meanPrice(pools)
  return {
    name: scenario.name,
    seed: scenario.seed,
    model: run.architecture.title.replace(/^.*\//, ''),
    pools: pools.map(poolFacts),
    objectives: run.objectives.map((objective): ObjectiveFacts => ({ ...objective })),
    backend: scenario.cost.backend,
    ...(scenario.run.durationSeconds === undefined ? {} : { durationSeconds: scenario.run.durationSeconds }),
    ...(price === undefined ? {} : { dollarsPerAcceleratorHour: price }),
    ...(requestsPerSecond === undefined
      ? {}
      : { arrivalRate: requestsPerSecond, maxArrivalRate: 4 * requestsPerSecond }),
    rateSteerable: run.steerable,
    router: scenario.router.name,
    routers: [...routers.keys()],
    schedulers: [...schedulers.keys()],
    speeds: [1, 10, 100, 'max'],
    sampledOneIn: Math.max(1, Math.round((requestsPerSecond ?? samplesASecond) / samplesASecond)),
    warnings: [...run.warnings],
  }
}

const poolNumbers = ({ cost, acceleratorsPerReplica, dollarsPerAcceleratorHour }: PoolParts): PoolNumbers => ({
  stepCost: cost,
  acceleratorsPerReplica,
  ...(dollarsPerAcceleratorHour === undefined
    ? {}
    : { dollarsPerReplicaHour: dollarsPerAcceleratorHour * acceleratorsPerReplica }),
})

/** Makes the text of a scenario ready for a live run. Throws a ScenarioError or a BuildError with a sentence for the user. */
export const prepareText =
  (text: string): PrepareRun =>
  (seed) => {
    const overrides = seed === undefined ? [] : [{ path: ['seed'], value: seed }]
    const run = buildRun(readScenario(text, 'scenario', overrides))
    const prepared: PreparedRun = {
      simulation: run.simulation,
      facts: factsOf(run),
      objectives: run.objectives,
      pools: new Map(run.pools.map((parts) => [parts.pool.name, poolNumbers(parts)])),
      extrapolated: run.pools.some(({ cost }) => cost.extrapolations.length > 0),
      linkBytesPerSecond: () => run.scenario.transfer.bytesPerSecond,
      ...(run.scenario.run.durationSeconds === undefined ? {} : { durationSeconds: run.scenario.run.durationSeconds }),
    }
    return Promise.resolve(prepared)
  }
