import { type AllReduceModel, allReduceSeconds } from '../collectives/alphaBetaAllReduce.ts'
import { requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'
import { type KvSplit, kvWays } from './cardMemory.ts'

/** What a decode step of a dense model reads, as totals. */
export interface StepModel {
  readonly layers: number
  /** Matrices of one layer, norms left out. */
  readonly layerBytes: number
  readonly kvBytesPerToken: number
  readonly outputHeadBytes: number
  readonly kvHeads: number
  /** K and V projections of one layer, part of `layerBytes`; needed only where they are copied. */
  readonly kvProjectionBytes?: number | undefined
}

/** Bytes that one decode step of one session moves. */
export interface StepVolume {
  readonly weightBytes: number
  readonly kvBytes: number
  readonly bytes: number
}

/**
 * `V(s) = L x layer + KV x (s+1) + head`: every projection is read once, the old KV read and one token written.
 * Embedding row, norms and sampling are left out. Parallelism chapter, (6-4).
 * @param contextTokens s, tokens in the cache before the step
 */
export function stepVolume(model: StepModel, contextTokens: number): StepVolume {
  requireNonNegative('stepVolume', { contextTokens })
  const weightBytes = model.layers * model.layerBytes + model.outputHeadBytes
  const kvBytes = model.kvBytesPerToken * (contextTokens + 1)
  return { weightBytes, kvBytes, bytes: weightBytes + kvBytes }
}

/** What a step over a tensor-parallel group follows from. */
export interface TensorParallelInput {
  readonly model: StepModel
  readonly tp: number
  /** HBM of one card, bytes/s. */
  readonly hbmBytesPerSecond: number
  /** AllReduces one after another in a step: two a layer. */
  readonly reductions: number
  readonly allReduce: AllReduceModel
  readonly kvSplit: KvSplit
  /** Whether K and V projections are copied with their KV head, on the time path as in memory. */
  readonly copyKvProjections: boolean
}

/** A decode step of one session. Bytes are of one card. */
export interface TensorParallelStep {
  readonly weightBytes: number
  readonly kvBytes: number
  readonly localSeconds: number
  readonly allReduceSeconds: number
  readonly communicationSeconds: number
  readonly seconds: number
}

/** Local part of a step: weights over tp, KV over as many ways as its heads allow. */
export function localStep(input: Omit<TensorParallelInput, 'allReduce' | 'reductions'>, contextTokens: number) {
  const { model, tp, hbmBytesPerSecond } = input
  requireCount('tensorParallelStep', { tp })
  requirePositive('tensorParallelStep', { hbmBytesPerSecond })
  const whole = stepVolume(model, contextTokens)
  const copied = input.copyKvProjections ? model.layers * (model.kvProjectionBytes ?? 0) : 0
  const weightBytes = (whole.weightBytes - copied) / tp + copied / kvWays(tp, model.kvHeads, 'saturate')
  const kvBytes = whole.kvBytes / kvWays(tp, model.kvHeads, input.kvSplit)
  return { weightBytes, kvBytes, localSeconds: (weightBytes + kvBytes) / hbmBytesPerSecond }
}

/**
 * `T(p) = T_local/p + R T_AR(p)`, with KV divided by min(p, KV heads): one memory-bound session, computing and
 * communicating in turn. Parallelism chapter, (6-5).
 * @param contextTokens tokens in the cache before the step
 */
export function tensorParallelStep(input: TensorParallelInput, contextTokens: number): TensorParallelStep {
  const local = localStep(input, contextTokens)
  const each = allReduceSeconds(input.allReduce, input.tp)
  const communicationSeconds = input.reductions * each
  return {
    ...local,
    allReduceSeconds: each,
    communicationSeconds,
    seconds: local.localSeconds + communicationSeconds,
  }
}

/** Seconds of one session of `steps` decode steps, the context growing by one token a step. */
export function sessionSeconds(input: TensorParallelInput, contextTokens: number, steps: number): number {
  let seconds = 0
  for (let step = 0; step < steps; step += 1) seconds += tensorParallelStep(input, contextTokens + step).seconds
  return seconds
}
