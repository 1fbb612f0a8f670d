import type { Time } from '@windtunnel/des'
import type { MixChange } from '@windtunnel/workload'
import type { ServerMetric } from './engines/serverMetric.ts'
import type { Observer } from './observer.ts'
import type { DecisionListener } from './routers/decision.ts'
import type { LinkView } from './transfer/links.ts'

export type ReplicaRole = 'both' | 'prefill' | 'generate'
export type ReplicaState = 'up' | 'starting' | 'draining' | 'down'

/** One replica as a viewer or a router sees it at one instant. Counts are requests unless said. */
export interface ReplicaView {
  replica: number
  pool: string
  role: ReplicaRole
  state: ReplicaState
  /** Decoding or prefilling now. */
  running: number
  waiting: number
  /** Generate side of a disaggregated layout: caches on their way or waiting for room. */
  transferring: number
  /** KV blocks in use and in all. */
  usedBlocks: number
  totalBlocks: number
  /** Most blocks ever in use; absent where no peak is kept. */
  peakUsedBlocks?: number
  /** Sum of the context of the decoding sequences, in tokens. */
  contextTokens: number
  stepsDone: number
  /** Virtual seconds at which it came (its start-up is part of its life); 0 when absent. */
  addedAt?: number
  /** And at which it was down for good; absent while it is there. An outage is part of its life. */
  downAt?: number
}

export interface SimulationView {
  /** Virtual seconds. */
  time: number
  arrived: number
  completed: number
  rejected: number
  failed: number
  cancelled: number
  timedOut: number
  replicas: ReplicaView[]
  /** Links that carry KV from prefill to generate replicas; empty where nothing is transferred. */
  links?: readonly LinkView[]
}

/** Something a person changes in a running simulation. It takes effect at the virtual time at which it is applied, and is logged. */
export type Command =
  | { kind: 'rate'; requestsPerSecond: number }
  | ({ kind: 'mix' } & MixChange)
  | { kind: 'router'; name: string }
  | { kind: 'scheduler'; name: string }
  | { kind: 'addReplica'; pool: string }
  | { kind: 'removeReplica'; replica: number }
  | { kind: 'killReplica'; replica: number }

/**
 * The serving system as a pure state machine on virtual time. It knows no wall clock and does no I/O; a batch driver and a
 * paced driver give identical facts.
 */
export interface Simulation {
  /** Virtual time reached. */
  now(): Time
  /** Writes the time of the next event into `into`; false when nothing is pending. */
  nextEventAt(into: Time): boolean
  /** Handles events up to and including `until`, at most `maxEvents`; returns how many. Splitting a run never changes it. */
  runUntil(until: Time, maxEvents: number): number
  /** Applies a command at the current time. Throws a CommandError with a sentence for the user when it cannot. */
  apply(command: Command): void
  view(): SimulationView
  observe(observer: Observer): void
  /** Tells every choice of the routers from now on, with the scores of all candidates. Changes no outcome; costs a scan a request. */
  traceDecisions?(listener: DecisionListener): void
  /** The metrics pages that the simulated servers show of themselves, of engines that have one. */
  serverMetrics?(): readonly { readonly replica: number; readonly page: readonly ServerMetric[] }[]
  /** When requests are alive and nothing is pending: a sentence that names one and what it waits for. */
  stuck?(): string | undefined
}
