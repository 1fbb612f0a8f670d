import type { StepCost } from '@windtunnel/cost'
import type { RequestSource } from '@windtunnel/workload'
import type { Engine, EngineContext } from '../engines/index.ts'
import type { Router } from '../routers/index.ts'
import type { Scheduler } from '../schedulers/index.ts'
import type { ReplicaRole } from '../simulation.ts'
import type { LinkOptions } from '../transfer/links.ts'

/** The time a request spends with the API server of its replica before it reaches the engine. */
export interface FrontEndOptions {
  /** Fixed part, seconds; overlaps between requests. */
  latencySeconds: number
  /** Tokenisation: seconds per prompt token on one thread, one request after the other. */
  secondsPerPromptToken: number
}

export interface PoolConfig {
  name: string
  role: ReplicaRole
  replicas: number
  /** Makes the engine of one replica: an engine of the registry with its options bound. */
  createEngine: (context: EngineContext) => Engine
  scheduler: Scheduler
  cost: StepCost
  /** Attention window of the model's windowed layers, in tokens; undefined where every layer sees everything. */
  attentionWindowTokens?: number | undefined
  frontEnd: FrontEndOptions
  /** From the command that adds a replica to its first request. */
  startUpSeconds: number
}

export interface TransferConfig extends LinkOptions {
  /** KV bytes of one token of context, over all layers. */
  bytesPerToken: number
  /** KV bytes of the last so many tokens of a text, where windowed layers keep fewer; `bytesPerToken` each when absent. */
  kvBytes?: (tokens: number) => number
  /** One transfer at a time on each link (the default), or max-min fair shares. */
  sharing?: 'serial' | 'fair'
  /** Whether caches travel whole (the default) or, while they are computed, layer by layer; the latter with fair sharing only. */
  overlap?: 'whole' | 'layers'
  /** Layers of the model, for `overlap: layers`: the last one travels when the prompt is complete. */
  layers?: number
  /** Which side emits the first token; the prefill side when absent. */
  firstToken?: 'prefill' | 'generate'
}

/**
 * A failure that is foreseen: from `atSeconds` on the replica is away for `downSeconds`. It loses all it held; its requests
 * stay with it and start over when it is back, also those of which tokens are out. For pools of role both.
 */
export interface Outage {
  /** Number in the fleet: pools in their order, from 0. */
  replica: number
  atSeconds: number
  downSeconds: number
}

/** A replica whose steps take longer for a while: those that it composes from one time on and before another. */
export interface Straggler {
  /** Number in the fleet: pools in their order, from 0. */
  replica: number
  fromSeconds: number
  untilSeconds: number
  /** By which the cost of a step is multiplied, above 0; the largest where several overlap. */
  factor: number
}

export interface SimulationConfig {
  pools: readonly PoolConfig[]
  source: RequestSource
  router: Router
  /** Chooses the generate replica; the router's own rule when absent. */
  generateRouter?: Router | undefined
  /** Needed when there are prefill and generate pools. */
  transfer?: TransferConfig | undefined
  /** Routers and schedulers by name, for commands; the registries when absent. */
  routers?: ReadonlyMap<string, Router>
  schedulers?: ReadonlyMap<string, Scheduler>
  /** Seconds from arrival until the first token is due, by service class; for schedulers that go by deadlines. */
  firstTokenDueSeconds?: readonly (number | undefined)[]
  /** How often a request of which no token is out is sent again when its replica is lost; 0 when absent. */
  retries?: number
  /** Failures that are foreseen; none when absent. */
  outages?: readonly Outage[]
  /** Replicas that are slow for a while; none when absent. */
  stragglers?: readonly Straggler[]
  /** Seed of the routers' own streams. */
  seed: number
}
