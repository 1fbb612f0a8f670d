import type { Accelerator } from '@windtunnel/hardware'
import {
  type Architecture,
  kvBytesPerSequence,
  kvBytesReadPerDecode,
  parameterCounts,
  recurrentStateBytes,
} from '@windtunnel/models'
import { decodeStep } from '../inference/index.ts'
import { matmulDtypeOf, matmulFlopsPerSecond, type StepDtypes, storedBytes } from '../step/dtypes.ts'
import { expertsTouched } from '../step/expertsTouched.ts'
import type { ModelSizes } from './modelSizes.ts'
import type { PlanNetwork } from './network.ts'
import type { ServingOption } from './servingPlan.ts'
import { type ServingSlice, sliceCollectiveSeconds } from './servingSlices.ts'

/** What is served, in the units of the step's formulas. */
export interface ServedModel {
  sizes: ModelSizes
  dtypes: StepDtypes
  paramBytes: number
  kvBytesPerSequence: number
  kvReadBytesPerSequence: number
  peakFlopsPerSecond: number
  /** Bytes of routed experts, and the routing, for batches that do not touch all of them; undefined for a dense model. */
  routed: { bytes: number; experts: number; expertsPerToken: number } | undefined
}

/** Bytes and peaks of a model in some formats at some context. */
export function servedModel(
  model: Architecture,
  sizes: ModelSizes,
  accelerator: Accelerator,
  dtypes: StepDtypes,
  contextTokens: number,
): ServedModel {
  const weight = storedBytes[dtypes.weights]
  const cached = storedBytes[dtypes.keyValues]
  const counts = parameterCounts(model)
  const state = recurrentStateBytes(model).total
  const moe = model.layers.find(({ mlp }) => mlp.kind === 'moe')?.mlp
  return {
    sizes,
    dtypes,
    paramBytes: counts.total * weight,
    kvBytesPerSequence: kvBytesPerSequence(model, contextTokens, cached) + state,
    kvReadBytesPerSequence: kvBytesReadPerDecode(model, contextTokens, cached) + state,
    peakFlopsPerSecond: matmulFlopsPerSecond(accelerator, matmulDtypeOf(dtypes)),
    routed:
      moe?.kind === 'moe'
        ? { bytes: counts.experts * weight, experts: moe.experts, expertsPerToken: moe.expertsPerToken }
        : undefined,
  }
}

/** Bytes of weights that a step of `batch` tokens reads: all of a dense model, the experts touched of a mixture. */
export function weightBytesRead(served: ServedModel, batch: number): number {
  if (served.routed === undefined) return served.paramBytes
  const { bytes, experts, expertsPerToken } = served.routed
  return served.paramBytes - bytes * (1 - expertsTouched(experts, expertsPerToken, batch) / experts)
}

/**
 * A decode step on a slice: I3 with the collectives of tensor parallelism (an AllGather and a ReduceScatter of B x D
 * activations for each attention and each MLP) overlapped with the matmuls or left out.
 */
export function servingStep(
  served: ServedModel,
  accelerator: Accelerator,
  network: PlanNetwork,
  slice: ServingSlice,
  batch: number,
  communication: 'overlapped' | 'left-out',
): ServingOption['step'] | undefined {
  const { sizes, dtypes, kvReadBytesPerSequence, peakFlopsPerSecond } = served
  const step = decodeStep({
    batch,
    kvBytesPerSequence: kvReadBytesPerSequence,
    paramBytes: weightBytesRead(served, batch),
    chips: slice.chips,
    hbmBytesPerSecond: accelerator.hbmBytesPerSecond,
    activatedParams: sizes.activatedParams,
    peakFlopsPerSecond,
  })
  const activations = Math.max(storedBytes[dtypes.activations], 1) * batch * sizes.dModel
  const each = sliceCollectiveSeconds(accelerator, network, slice, activations)
  if (each === undefined) return undefined
  const { kvSeconds, weightSeconds, mathSeconds } = step
  const linkSeconds = 4 * sizes.layers * each
  const links = communication === 'overlapped' ? linkSeconds : 0
  const matmulSeconds = Math.max(weightSeconds, mathSeconds, links)
  const matmulBound = matmulSeconds === links ? 'communication' : matmulSeconds === mathSeconds ? 'compute' : 'weights'
  return {
    seconds: kvSeconds + matmulSeconds,
    kvSeconds,
    weightSeconds,
    mathSeconds,
    linkSeconds,
    bound: kvSeconds > matmulSeconds ? 'kv' : matmulBound,
  }
}
