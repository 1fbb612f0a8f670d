import { fittedEngine, fittedKernels, type ParameterFile } from '@windtunnel/cost/calibration/parameterFile'
import { type KvCapacity, kvCapacity } from '@windtunnel/cost/memory/index'
import { createStepCost } from '@windtunnel/cost/step/createStepCost'
import { type StepDtypes, storedBytes } from '@windtunnel/cost/step/dtypes'
import { type EngineOverheads, engineOverheadsFor } from '@windtunnel/cost/step/engineOverheads/index'
import { acceleratorsOf } from '@windtunnel/cost/step/layout'
import type { StepCost } from '@windtunnel/cost/step/stepCost'
import { type Accelerator, accelerator } from '@windtunnel/hardware'
import { type Architecture, kvBytesPerSequence } from '@windtunnel/models'
import type { FrontEndOptions } from '@windtunnel/orchestrator'
import type { EngineLimits } from '@windtunnel/orchestrator/engines/index'
import { type BoundEngine, type EngineBinding, engineBindings } from '../engines/index.ts'
import type { Scenario } from '../schema/scenario.ts'
import { at } from './buildError.ts'

export type Pool = Scenario['fleet'][number]

/** The parts of one pool: everything that its replicas share. */
export interface PoolParts {
  readonly pool: Pool
  readonly accelerator: Accelerator
  readonly acceleratorsPerReplica: number
  readonly cost: StepCost
  readonly capacity: KvCapacity
  /** Limits and switches of the engine, defaults filled in. */
  readonly engine: EngineLimits
  readonly createEngine: BoundEngine['create']
  readonly frontEnd: FrontEndOptions
  /** Price of one accelerator in US dollars per hour; undefined where none is known. */
  readonly dollarsPerAcceleratorHour: number | undefined
  /** Bytes of KV of a sequence of so many tokens, as they travel to another replica. */
  readonly kvBytes: (tokens: number) => number
  readonly warnings: readonly string[]
}

/** Sequences for which windows and recurrent state are set aside where the scenario does not limit them. */
const USUAL_SEQUENCES = 64

/** Builds the parts of a pool. Throws a BuildError, with the smallest layout that would do when the model does not fit. */
export function poolParts(
  scenario: Scenario,
  index: number,
  architecture: Architecture,
  fitted?: ParameterFile,
): PoolParts {
  const pool = scenario.fleet[index]!
  return at(`fleet[${index}] (${pool.name})`, () => {
    const hardware = accelerator(pool.hardware)
    const dtypes = stepDtypes(pool)
    const scaleUpDomain = pool.scaleUpDomain
    const binding: EngineBinding = engineBindings[pool.engine.name]
    const cost = createStepCost({
      ...costOptions(scenario.cost, pool),
      ...fittedOptions(fitted, overheadsName(scenario.cost, pool), hardware.name),
      maxSequences: binding.maxSequences(pool.engine, hardware),
      architecture,
      accelerator: hardware,
      layout: pool.layout,
      dtypes,
      scaleUpDomain,
    })
    const capacity = kvCapacity({
      architecture,
      accelerator: hardware,
      layout: pool.layout,
      dtypes,
      blockTokens: pool.engine.blockSize,
      utilisation: pool.engine.memoryUtilisation,
      reservedSequences: pool.engine.maxSequences ?? USUAL_SEQUENCES,
      blocks: pool.engine.kvBlocks,
      minimumTokens: pool.engine.kvBlocks === undefined ? pool.engine.maxModelLength : undefined,
    })
    const overheads = overheadsOf(scenario, pool, fitted)
    const kvBytes = (tokens: number): number =>
      kvBytesPerSequence(architecture, tokens, storedBytes[dtypes.keyValues ?? 'bf16'])
    const site = {
      architecture,
      accelerator: hardware,
      acceleratorsPerEngine: acceleratorsOf(pool.layout),
      totalBlocks: capacity.blocks,
      kvBytesPerToken: kvBytes(1),
      overheads,
    }
    const engine = binding.bind(pool.engine, site)
    return {
      pool,
      accelerator: hardware,
      acceleratorsPerReplica: acceleratorsOf(pool.layout) * binding.enginesPerReplica(pool.engine),
      cost,
      capacity,
      engine: engine.limits,
      createEngine: engine.create,
      frontEnd: frontEndOf(pool, overheads),
      dollarsPerAcceleratorHour: pool.dollarsPerAcceleratorHour ?? hardware.priceUsdPerHour,
      kvBytes,
      warnings: capacityWarnings(pool, engine.limits),
    }
  })
}

const stepDtypes = ({ dtypes }: Pool): Partial<StepDtypes> => ({
  weights: dtypes.weights,
  keyValues: dtypes.kv,
  ...(dtypes.activations === undefined ? {} : { activations: dtypes.activations }),
})

function costOptions(cost: Scenario['cost'], pool: Pool) {
  switch (cost.backend) {
    case 'linear': {
      const { backend, ...coefficients } = cost
      return { backend, coefficients }
    }
    case 'measured':
      return { backend: cost.backend, measuredSteps: { decode: cost.decode, prefill: cost.prefill } }
    case 'alphaBeta': {
      const { backend, residentContext, far, ...network } = cost
      return { backend, alphaBeta: { network: { ...network, far }, residentContext } }
    }
    case 'calibrated':
      return {
        backend: cost.backend,
        routingSkew: cost.routingSkew,
        engine: overheadsName(cost, pool),
        filteredSampling: cost.filteredSampling,
      }
    default:
      return { backend: cost.backend, routingSkew: cost.routingSkew }
  }
}

/** Registry name of the overheads that the calibrated cost adds for the engine of a pool. */
function overheadsName(cost: Scenario['cost'], { engine }: Pool): string {
  if (cost.backend === 'calibrated' && !cost.engineOverheads) return 'ideal'
  return 'version' in engine ? `${engine.name}-${engine.version}` : engine.name
}

/** What the calibrated cost knows of the engine; undefined under any other cost. */
function overheadsOf(scenario: Scenario, pool: Pool, fitted: ParameterFile | undefined): EngineOverheads | undefined {
  if (scenario.cost.backend !== 'calibrated') return undefined
  const name = overheadsName(scenario.cost, pool)
  const { overheads } = engineOverheadsFor(name)
  const own = fitted === undefined ? undefined : fittedEngine(fitted, name)
  return {
    ...overheads,
    step: { ...overheads.step, ...own?.step },
    frontEnd: { ...overheads.frontEnd, ...own?.frontEnd },
  }
}

/** The figures of a parameter file for this engine and accelerator. */
const fittedOptions = (fitted: ParameterFile | undefined, engine: string, accelerator: string) =>
  fitted === undefined
    ? {}
    : { stepOverheads: fittedEngine(fitted, engine)?.step, kernelParameters: fittedKernels(fitted, accelerator) }

function frontEndOf({ frontEnd, layout }: Pool, overheads: EngineOverheads | undefined): FrontEndOptions {
  const known = overheads?.frontEnd
  const latency = (known?.requestSeconds ?? 0) + (layout.tp > 1 ? (known?.tensorParallelFirstTokenSeconds ?? 0) : 0)
  return {
    latencySeconds: frontEnd.latencySeconds ?? latency,
    secondsPerPromptToken: frontEnd.secondsPerPromptToken ?? known?.secondsPerPromptToken ?? 0,
  }
}

function capacityWarnings(pool: Pool, engine: EngineLimits): string[] {
  const tokens = engine.totalBlocks * engine.blockSize
  if (tokens >= engine.maxModelLength) return []
  return [
    `pool ${pool.name}: the KV cache holds ${tokens} tokens, fewer than the longest request of ${engine.maxModelLength}; requests that need more are refused`,
  ]
}
