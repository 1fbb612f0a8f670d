import type { StepCost } from '@windtunnel/cost'
import type { Time } from '@windtunnel/des'
import type { DetailsOptions, MeasuredWindow, Objectives } from '@windtunnel/metrics'
import type { Simulation } from '@windtunnel/orchestrator'
import type { ScenarioFacts, TrafficMix } from '@windtunnel/protocol'

/** What a live run needs to know of one pool beyond what viewers are told. */
export interface PoolNumbers {
  /** Step cost of one replica, to say where a step goes. */
  readonly stepCost?: StepCost
  /** US dollars per hour of one replica; absent when no price is known. */
  readonly dollarsPerReplicaHour?: number
  readonly acceleratorsPerReplica: number
}

/** A scenario made ready to run once: everything a live run is given. */
export interface PreparedRun {
  readonly simulation: Simulation
  readonly facts: ScenarioFacts
  /** By service class, in the order that requests name them by index. */
  readonly objectives: readonly Objectives[]
  /** By name of the pool. */
  readonly pools: ReadonlyMap<string, PoolNumbers>
  /** Virtual seconds after which the run ends. */
  readonly durationSeconds?: number
  readonly extrapolated: boolean
  /** The part of the run that the figures of its summary are about; all of it when absent. */
  readonly window?: MeasuredWindow
  /** What the details of the summary are computed with; without it there are none. */
  readonly details?: DetailsOptions
  /** Bandwidth between two pools in bytes per second, where it is known. */
  linkBytesPerSecond?(fromPool: string, toPool: string): number | undefined
  /** What the traffic is made of now; undefined where that cannot be changed. */
  readonly mix?: () => TrafficMix | undefined
  /** Traffic that comes in pieces: up to which time it is known (undefined: all of it), and reading on. */
  readonly knownUntil?: () => Time | undefined
  readonly fill?: () => Promise<void>
  /** Nothing more is read: the run is over, or left. */
  readonly close?: () => void
}

/** Makes a scenario ready with a seed; the scenario's own seed when undefined. */
export type PrepareRun = (seed: number | undefined) => Promise<PreparedRun>
