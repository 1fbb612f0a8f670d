import type { ReplicaLayout } from '@windtunnel/cost/step/layout'
import { routers } from '@windtunnel/orchestrator/routers/index'
import { schedulers } from '@windtunnel/orchestrator/schedulers/index'
import type { BuiltRun } from './buildRun.ts'
import type { PoolParts } from './poolParts.ts'

/** What a viewer of a run is told once: names, choices and promises, as plain values. */
export const runFacts = (run: BuiltRun) => ({
  name: run.scenario.name,
  seed: run.scenario.seed,
  model: run.architecture.name,
  pools: run.pools.map(poolFacts),
  objectives: run.objectives,
  backend: run.scenario.cost.backend,
  ...present('durationSeconds', run.scenario.run.durationSeconds),
  ...present('dollarsPerAcceleratorHour', meanPrice(run.pools)),
  ...present('arrivalRate', run.requestsPerSecond),
  rateSteerable: run.steerable,
  router: run.scenario.router.name,
  routers: [...routers.keys()],
  schedulers: [...schedulers.keys()],
  warnings: run.warnings,
})

const poolFacts = ({ pool, acceleratorsPerReplica, accelerator }: PoolParts) => ({
  name: pool.name,
  role: pool.role,
  replicas: pool.replicas,
  engine: pool.engine.name,
  scheduler: pool.engine.scheduler,
  accelerator: accelerator.name,
  acceleratorsPerReplica,
  layout: layoutText(pool.layout),
})

/** `TP4 PP2`, or `TP1` for one accelerator. */
export function layoutText(layout: ReplicaLayout): string {
  const degrees = (['tp', 'pp', 'dp', 'ep', 'sp'] as const).filter((degree) => layout[degree] > 1)
  return degrees.length === 0 ? 'TP1' : degrees.map((degree) => `${degree.toUpperCase()}${layout[degree]}`).join(' ')
}

/** Mean over the accelerators of the fleet at the start; undefined when the price of one is not known. */
function meanPrice(pools: readonly PoolParts[]): number | undefined {
  let dollars = 0
  let accelerators = 0
  for (const { pool, acceleratorsPerReplica, dollarsPerAcceleratorHour } of pools) {
    if (dollarsPerAcceleratorHour === undefined) return undefined
    const count = pool.replicas * acceleratorsPerReplica
    dollars += count * dollarsPerAcceleratorHour
    accelerators += count
  }
  return dollars / accelerators
}

const present = <const K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
