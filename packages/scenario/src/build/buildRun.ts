import { attentionWindowTokens } from '@windtunnel/cost/step/attentionWindow'
import type { Objectives } from '@windtunnel/metrics/timeline/objectives'
import { type Architecture, kvGrowsEvenly } from '@windtunnel/models'
import {
  createSimulation,
  type PoolConfig,
  type Router,
  type Scheduler,
  type Simulation,
  type SimulationConfig,
} from '@windtunnel/orchestrator'
import { bindRouter, routers } from '@windtunnel/orchestrator/routers/index'
import { FAIR_TOKENS, fairShareWith, schedulers } from '@windtunnel/orchestrator/schedulers/index'
import type { MixableSource } from '@windtunnel/workload'
import type { Refill } from '../drivers/batch.ts'
import type { Scenario } from '../schema/scenario.ts'
import { at, BuildError } from './buildError.ts'
import type { ScenarioFiles } from './files.ts'
import { modelOf } from './model.ts'
import { objectivesOf } from './objectives.ts'
import { parametersOf } from './parameters.ts'
import { type PoolParts, poolParts } from './poolParts.ts'
import { trafficOf } from './traffic.ts'

/** A scenario made into parts, ready to be driven. */
export interface BuiltRun {
  readonly scenario: Scenario
  readonly architecture: Architecture
  readonly pools: readonly PoolParts[]
  readonly simulation: Simulation
  /** What the simulation was made of. */
  readonly config: SimulationConfig
  readonly source: MixableSource
  /** Set when the traffic is read while the run goes on. */
  readonly refill: Refill | undefined
  /** Mean arrivals a second at the start; undefined where the traffic has no rate. */
  readonly requestsPerSecond: number | undefined
  /** Whether the command `rate` works. */
  readonly steerable: boolean
  readonly objectives: readonly Objectives[]
  /** Sentences about extrapolation, capacity and the like. */
  readonly warnings: readonly string[]
  /** What is to be said of the traffic so far, such as rows of a trace that were skipped. */
  readonly remarks: () => readonly string[]
}

/** Policies of the user's own, in place of those that the scenario names. */
export interface OwnPolicies {
  readonly router?: Router
  readonly scheduler?: Scheduler
}

/** Turns the names of a scenario into parts. Throws a BuildError when they do not fit together. */
export function buildRun(scenario: Scenario, files: ScenarioFiles = {}, own: OwnPolicies = {}): BuiltRun {
  const { architecture, warnings } = modelOf(scenario, files)
  const fitted = parametersOf(scenario, files)
  const pools = scenario.fleet.map((_, index) => poolParts(scenario, index, architecture, fitted))
  const traffic = trafficOf(scenario, files)
  const router = own.router ?? routerOf(scenario.router, 'router')
  const schedulers = schedulersOf(scenario)
  const config: SimulationConfig = {
    pools: pools.map((parts) => poolConfig(parts, architecture, own.scheduler, schedulers)),
    source: traffic.source,
    router,
    schedulers,
    firstTokenDueSeconds: objectivesOf(scenario).map(({ ttft, e2e }) => ttft ?? e2e),
    retries: scenario.retries,
    outages: scenario.outages ?? [],
    stragglers: scenario.stragglers ?? [],
    seed: scenario.seed,
    ...generateRouterOf(scenario),
    ...transferOf(scenario, pools, architecture),
  }
  return {
    scenario,
    architecture,
    pools,
    simulation: at('fleet', () => createSimulation(config)),
    config,
    source: traffic.source,
    refill: traffic.refill,
    requestsPerSecond: traffic.requestsPerSecond,
    steerable: traffic.steerable,
    remarks: traffic.remarks,
    objectives: objectivesOf(scenario),
    warnings: [
      ...new Set([...warnings, ...pools.flatMap((parts) => [...parts.warnings, ...parts.cost.extrapolations])]),
    ],
  }
}

/** Schedulers by name, with the shares of the scenario's tenants. */
const schedulersOf = ({ tenantWeights = [] }: Scenario): ReadonlyMap<string, Scheduler> =>
  new Map([...schedulers, ['fair-share', fairShareWith({ ...FAIR_TOKENS, tenants: tenantWeights })]])

function poolConfig(
  parts: PoolParts,
  architecture: Architecture,
  own: Scheduler | undefined,
  all: ReadonlyMap<string, Scheduler>,
): PoolConfig {
  const { pool } = parts
  return {
    name: pool.name,
    role: pool.role,
    replicas: pool.replicas,
    createEngine: parts.createEngine,
    scheduler: own ?? known(all, pool.engine.scheduler, `fleet (${pool.name}): scheduler`),
    cost: parts.cost,
    attentionWindowTokens: attentionWindowTokens(architecture),
    frontEnd: parts.frontEnd,
    startUpSeconds: pool.startUpSeconds,
  }
}

function generateRouterOf({ generateRouter }: Scenario): Pick<SimulationConfig, 'generateRouter'> {
  return generateRouter === undefined ? {} : { generateRouter: routerOf(generateRouter, 'generateRouter') }
}

const routerOf = (chosen: { readonly name: string }, where: string): Router =>
  bindRouter(known(routers, chosen.name, where), { ...chosen })

function transferOf(
  scenario: Scenario,
  pools: readonly PoolParts[],
  architecture: Architecture,
): Pick<SimulationConfig, 'transfer'> {
  const prefill = pools.find((parts) => parts.pool.role === 'prefill')
  if (prefill === undefined) return {}
  const { kvBytes } = prefill
  const { length: layers } = architecture.layers
  const bytes = { bytesPerToken: kvBytes(1), ...(kvGrowsEvenly(architecture) ? {} : { kvBytes }) }
  return { transfer: { ...scenario.transfer, ...bytes, layers } }
}

/** The part of that name; the schema has checked it, so a lack is a fault of the registries. */
function known<T>(parts: ReadonlyMap<string, T>, name: string, where: string): T {
  const part = parts.get(name)
  if (part === undefined) throw new BuildError(where, `there is no ${name}; known: ${[...parts.keys()].join(', ')}`)
  return part
}
