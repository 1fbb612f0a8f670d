import type { EngineOverheads } from '@windtunnel/cost/step/engineOverheads/index'
import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import type { Engine, EngineContext, EngineLimits } from '@windtunnel/orchestrator/engines/index'
import type * as Schema from 'effect/Schema'
import type { Option } from '../schema/options.ts'

/** What an engine is bound to: the replica it runs on. */
export interface EngineSite {
  readonly architecture: Architecture
  readonly accelerator: Accelerator
  /** Accelerators of the pool's layout. */
  readonly acceleratorsPerEngine: number
  readonly totalBlocks: number
  /** Bytes of KV of one token of context, whole replica. */
  readonly kvBytesPerToken: number
  /** What the calibrated cost knows of this engine; undefined under any other cost. */
  readonly overheads: EngineOverheads | undefined
}

/** An engine with its options filled in, ready to be made for each replica. */
export interface BoundEngine {
  /** Every option of the engine, those of the registry's engines included. */
  readonly limits: EngineLimits
  create(context: EngineContext): Engine
}

/** An engine as the scenario file offers it: its options, and how they are bound. */
export interface EngineBinding<Name extends string = string, O extends Option = Option> {
  readonly name: Name
  readonly option: O
  /** It cannot be one side of a fleet's disaggregated layout: its pool must have the role both. */
  readonly wholeRequests: boolean
  /** It can send KV while it computes a prompt, and leave the first token to the generate side. */
  readonly streamsPrefill: boolean
  /** Most sequences running at once, with the engine's own default for the accelerator. */
  maxSequences(chosen: unknown, accelerator: Accelerator): number
  /** How often one replica has the layout of its pool. */
  enginesPerReplica(chosen: unknown): number
  bind(chosen: unknown, site: EngineSite): BoundEngine
}

/** Registers an engine; `chosen` is what the schema of `option` gives. */
export function defineEngine<const Name extends string, S extends Schema.Top>(binding: {
  readonly name: Name
  readonly option: Option<S>
  readonly wholeRequests?: boolean
  readonly streamsPrefill?: boolean
  maxSequences(chosen: S['Type'], accelerator: Accelerator): number
  enginesPerReplica?(chosen: S['Type']): number
  bind(chosen: S['Type'], site: EngineSite): BoundEngine
}): EngineBinding<Name, Option<S>> {
  return {
    name: binding.name,
    option: binding.option,
    wholeRequests: binding.wholeRequests ?? false,
    streamsPrefill: binding.streamsPrefill ?? false,
    enginesPerReplica: (chosen) => binding.enginesPerReplica?.(chosen as S['Type']) ?? 1,
    maxSequences: (chosen, accelerator) => binding.maxSequences(chosen as S['Type'], accelerator),
    bind: (chosen, site) => binding.bind(chosen as S['Type'], site),
  }
}
