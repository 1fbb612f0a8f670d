import {
  matmulDtypeOf,
  matmulFlopsPerSecond,
  type StepDtypes,
  stepDtypesOf,
  storedBytes,
} from '@windtunnel/cost/step/dtypes'
import { expertsTouched } from '@windtunnel/cost/step/expertsTouched'
import { acceleratorsOf } from '@windtunnel/cost/step/layout'
import { gemmsOf, shardModel } from '@windtunnel/cost/step/shardedModel'
import type { DetailsOptions } from '@windtunnel/metrics/details/detailsObserver'
import type { AttentionReach, ReplicaProfile, StepWork } from '@windtunnel/metrics/details/replicaProfile'
import { type Architecture, layerShapes, weightFlopsPerToken } from '@windtunnel/models'
import type { BuiltRun } from './buildRun.ts'
import { measuredWindowOf } from './measuredWindow.ts'
import { serviceClassIndex } from './objectives.ts'
import type { PoolParts } from './poolParts.ts'

/** What the details of a run are computed with: limits, window, what replicas are made of, the clients' round trips. */
export function detailsOptionsOf(run: BuiltRun): DetailsOptions {
  return {
    objectives: run.objectives,
    window: measuredWindowOf(run.scenario),
    profileOf: profilesOf(run),
    roundTripSeconds: roundTripsOf(run),
  }
}

/** Replicas by number; those that are added while the run goes on are looked up when they first do something. */
function profilesOf(run: BuiltRun): (replica: number) => ReplicaProfile {
  const ofPool = new Map(run.pools.map((parts) => [parts.pool.name, replicaProfile(parts, run.architecture)]))
  let known: ReplicaProfile[] = []
  return (replica) => {
    if (replica >= known.length) known = run.simulation.view().replicas.map(({ pool }) => ofPool.get(pool)!)
    return known[replica]!
  }
}

function replicaProfile(parts: PoolParts, architecture: Architecture): ReplicaProfile {
  const { engine, acceleratorsPerReplica, accelerator, pool } = parts
  return {
    accelerators: acceleratorsPerReplica,
    engines: acceleratorsPerReplica / acceleratorsOf(pool.layout),
    blockTokens: engine.blockSize,
    keyValueTokens: engine.totalBlocks * engine.blockSize,
    dollarsPerAcceleratorHour: parts.dollarsPerAcceleratorHour,
    wattsPerAccelerator: accelerator.powerWatts,
    work: stepWork(parts, architecture),
  }
}

/**
 * FLOPs and bytes of a step over all accelerators of an engine: each of `accelerators / pp` ranks of a stage holds a
 * share of every matrix, and the stages together hold all layers.
 */
function stepWork({ pool, accelerator }: PoolParts, architecture: Architecture): StepWork {
  const accelerators = acceleratorsOf(pool.layout)
  const dtypes = stepDtypesOf({
    weights: pool.dtypes.weights,
    keyValues: pool.dtypes.kv,
    ...(pool.dtypes.activations === undefined ? {} : { activations: pool.dtypes.activations }),
  })
  return {
    peakFlopsPerSecond: matmulFlopsPerSecond(accelerator, matmulDtypeOf(dtypes)) * accelerators,
    memoryBytesPerSecond: accelerator.hbmBytesPerSecond * accelerators,
    weightFlopsPerToken: weightFlopsPerToken(architecture),
    weightBytes: weightBytesOf(pool, architecture, dtypes, accelerators / pool.layout.pp),
    attention: attentionReaches(architecture, storedBytes[dtypes.keyValues]),
  }
}

function weightBytesOf(
  pool: PoolParts['pool'],
  architecture: Architecture,
  dtypes: StepDtypes,
  ranks: number,
): StepWork['weightBytes'] {
  const model = shardModel(architecture, pool.layout, dtypes)
  const perElement = storedBytes[dtypes.weights]
  let everyStep = model.head.outputs * model.head.inputs * storedBytes.bf16
  const experts: { bytes: number; experts: number; expertsPerToken: number }[] = []
  for (const group of model.groups) {
    for (const gemm of gemmsOf(group)) everyStep += group.count * gemm.outputs * gemm.inputs * perElement
    if (group.experts === undefined) continue
    const { matrices, hiddenSize, intermediateSize, expertParallelRanks, expertsPerToken } = group.experts
    const bytes = (group.count * matrices * hiddenSize * intermediateSize * perElement) / expertParallelRanks
    experts.push({ bytes, experts: group.experts.experts, expertsPerToken })
  }
  return (tokens) =>
    ranks *
    experts.reduce((sum, one) => sum + one.bytes * expertsTouched(one.experts, one.expertsPerToken, tokens), everyStep)
}

/** Attention layers put together by how far they see. A sparse indexer's choice counts as a window. */
function attentionReaches(architecture: Architecture, elementBytes: number): AttentionReach[] {
  const reaches = new Map<number | undefined, { flopsPerPair: number; keyValueBytes: number }>()
  for (const shape of layerShapes(architecture)) {
    if (shape.kind === 'linear') continue
    const windowTokens = shape.windowTokens ?? shape.sparseTokens
    const reach = reaches.get(windowTokens) ?? { flopsPerPair: 0, keyValueBytes: 0 }
    reach.flopsPerPair += shape.count * shape.flopsPerPair
    reach.keyValueBytes += shape.count * shape.kvElementsRead * elementBytes
    reaches.set(windowTokens, reach)
  }
  return [...reaches].map(([windowTokens, reach]) => ({ windowTokens, ...reach }))
}

/** Round trips by class and tenant; undefined where streams of one class and tenant differ, and facts cannot tell them apart. */
function roundTripsOf({ scenario }: BuiltRun): (serviceClass: number, tenant: number) => number | undefined {
  const { streams, clients } = scenario.traffic
  if (streams === undefined) {
    const everyones = roundTripOf(clients)
    return () => everyones
  }
  const known = new Map<string, number | undefined>()
  for (const stream of streams) {
    const key = `${serviceClassIndex(scenario, stream.serviceClass)} ${stream.tenant}`
    const own = roundTripOf(stream.clients)
    known.set(key, known.has(key) && known.get(key) !== own ? undefined : own)
  }
  return (serviceClass, tenant) => known.get(`${serviceClass} ${tenant}`)
}

const roundTripOf = ({ roundTripSeconds }: { readonly roundTripSeconds?: unknown }): number | undefined =>
  typeof roundTripSeconds === 'number' ? roundTripSeconds : undefined
