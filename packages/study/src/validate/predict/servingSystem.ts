import { type KvCapacity, type KvCapacityOptions, kvCapacity, ModelDoesNotFit } from '@windtunnel/cost/memory/index'
import { createStepCost } from '@windtunnel/cost/step/createStepCost'
import { storedBytes } from '@windtunnel/cost/step/dtypes'
import { type EngineOverheads, engineOverheadsFor } from '@windtunnel/cost/step/engineOverheads/index'
import { accelerator as acceleratorOf } from '@windtunnel/hardware'
import { kvBytesPerSequence, model } from '@windtunnel/models'
import type { PoolConfig, SimulationConfig } from '@windtunnel/orchestrator'
import { leastLoaded } from '@windtunnel/orchestrator/routers/leastLoaded'
import { roundRobin } from '@windtunnel/orchestrator/routers/roundRobin'
import { fcfs } from '@windtunnel/orchestrator/schedulers/fcfs'
import type { Deployment, MeasuredPool, MeasuredRun } from '../measured/measuredRun.ts'
import { coldCost } from './coldCost.ts'
import { formatsOf } from './numberFormats.ts'
import { blockTokensOf, sequencesOf, servingEngine } from './servingEngine.ts'
import type { Tuning } from './tuning.ts'

/** A measured deployment made into parts: all of a simulation but its traffic. */
export interface ServingSystem {
  config: Omit<SimulationConfig, 'source'>
  /** What the figures stand on beyond what was measured or stated. */
  remarks: string[]
  /** Engine that runs in the simulation, KV blocks of one replica. */
  engine: string
  kvBlocks: number
}

/** One node's fabric between prefill and generate replicas, where the run does not state it. */
const TRANSFER = { bytesPerSecond: 50e9, latencySeconds: 2e-3 }

/** Names, figures and options made into parts. Throws where a name is unknown or the model does not fit. */
export function servingSystem(run: MeasuredRun, tuning: Tuning = {}): ServingSystem {
  const { deployment } = run
  const overheads = tunedOverheads(deployment, tuning)
  const remarks: string[] = []
  const parts = (pool: MeasuredPool, role: PoolConfig['role'], name: string) =>
    poolParts(run, pool, { role, name }, overheads, tuning, remarks)
  const { prefillPool } = deployment
  const main = parts(deployment.pool, prefillPool === undefined ? 'both' : 'generate', 'serve')
  const pools = prefillPool === undefined ? [main.pool] : [parts(prefillPool, 'prefill', 'prefill').pool, main.pool]
  const architecture = model(deployment.model)
  const keyValues = formatsOf(deployment, run.id).keyValues ?? 'bf16'
  return {
    config: {
      pools,
      router: deployment.pool.replicas > 1 ? leastLoaded : roundRobin,
      seed: 1,
      ...(prefillPool === undefined
        ? {}
        : { transfer: { ...TRANSFER, bytesPerToken: kvBytesPerSequence(architecture, 1, storedBytes[keyValues]) } }),
    },
    remarks: [...new Set(remarks)],
    engine: main.engine,
    kvBlocks: main.kvBlocks,
  }
}

/** Called in process, an engine hands no tokens to an API server: the host's time for each sequence falls away. */
const inProcess = ({ clock }: Deployment) => (clock === 'engine' ? { perSequenceSeconds: 0 } : {})

function tunedOverheads(deployment: Deployment, tuning: Tuning): EngineOverheads {
  const { engine } = deployment
  const { overheads } = engineOverheadsFor(`${engine.name}-${engine.version}`)
  return {
    ...overheads,
    step: { ...overheads.step, ...graphsOf(engine), ...inProcess(deployment), ...tuning.step },
    frontEnd: { ...overheads.frontEnd, ...tuning.frontEnd },
    stepsInFlight: tuning.stepsInFlight ?? overheads.stepsInFlight,
  }
}

/** Captured graphs as far as the run states them. */
const graphsOf = ({ largestGraphTokens }: Deployment['engine']) =>
  largestGraphTokens === undefined ? {} : { largestGraphTokens }

function poolParts(
  run: MeasuredRun,
  { layout, replicas }: MeasuredPool,
  place: { role: PoolConfig['role']; name: string },
  overheads: EngineOverheads,
  tuning: Tuning,
  remarks: string[],
): { pool: PoolConfig; engine: string; kvBlocks: number } {
  const { deployment } = run
  const architecture = model(deployment.model)
  const accelerator = acceleratorOf(deployment.accelerator)
  const dtypes = formatsOf(deployment, run.id)
  const blockTokens = blockTokensOf(deployment)
  const capacity = capacityOf(run, { architecture, accelerator, layout, dtypes, blockTokens }, remarks)
  const site = {
    architecture,
    accelerator,
    overheads,
    totalBlocks: capacity.blocks,
    blockTokens,
    attentionRanks: layout.dp,
  }
  const engine = servingEngine(deployment, site)
  const warm = createStepCost({
    architecture,
    accelerator,
    layout,
    dtypes,
    engine: `${deployment.engine.name}-${deployment.engine.version}`,
    stepOverheads: { ...graphsOf(deployment.engine), ...inProcess(deployment), ...tuning.step },
    routingSkew: tuning.routingSkew,
    kernelParameters: tuning.kernels?.(accelerator.name),
    maxSequences: sequencesOf(deployment, accelerator, 1),
    filteredSampling: isUnfiltered(deployment) ? false : undefined,
  })
  const cost = coldCost(warm, overheads.firstUse)
  remarks.push(...cost.extrapolations, ...(engine.standIn === undefined ? [] : [engine.standIn]))
  return {
    engine: engine.name,
    kvBlocks: capacity.blocks,
    pool: {
      name: place.name,
      role: place.role,
      replicas,
      createEngine: (context) => engine.create(context),
      scheduler: fcfs,
      cost,
      frontEnd: frontEndOf(deployment, layout.tp * layout.dp, overheads, place.role),
      startUpSeconds: 0,
    },
  }
}

/** An API server takes top-p and top-k from the model's generation config; an engine called in process does not. */
const isUnfiltered = ({ greedy, clock }: Deployment): boolean => greedy === true || clock === 'engine'

/** Share of memory that is tried where the usual one leaves no room: what an operator would raise it to. */
const RAISED_UTILISATION = 0.95

/** KV capacity as stated or counted. The room for one request of full length must be there. */
function capacityOf(
  { deployment: { engine }, level }: MeasuredRun,
  replica: Pick<KvCapacityOptions, 'architecture' | 'accelerator' | 'layout' | 'dtypes' | 'blockTokens'>,
  remarks: string[],
): KvCapacity {
  const options: KvCapacityOptions = {
    ...replica,
    utilisation: engine.memoryUtilisation,
    reservedSequences: engine.maxSequences ?? 64,
    blocks: engine.kvBlocks,
    minimumTokens: engine.kvBlocks === undefined ? engine.maxModelLength : undefined,
  }
  // A sweep does not state its utilisation: it is that of launch scripts, which give some models more.
  const isStated = level === 'serving' && engine.memoryUtilisation !== undefined
  if (isStated || engine.kvBlocks !== undefined) return kvCapacity(options)
  try {
    return kvCapacity(options)
  } catch (error) {
    if (!(error instanceof ModelDoesNotFit)) throw error
    const raised = kvCapacity({ ...options, utilisation: RAISED_UTILISATION })
    remarks.push('95 % of the memory used, as less does not hold the model')
    return raised
  }
}

/** A run timed at the engine's queue has no API server before it; a generate replica is not asked by clients. */
function frontEndOf(
  { clock }: Deployment,
  ranks: number,
  { frontEnd }: EngineOverheads,
  role: PoolConfig['role'],
): PoolConfig['frontEnd'] {
  if (clock === 'engine' || role === 'generate') return { latencySeconds: 0, secondsPerPromptToken: 0 }
  const parallel = ranks > 1 ? frontEnd.tensorParallelFirstTokenSeconds : 0
  return {
    latencySeconds: frontEnd.requestSeconds + parallel,
    secondsPerPromptToken: frontEnd.secondsPerPromptToken,
  }
}
