import type { Accelerator } from '@windtunnel/hardware'
import { kvSharding, memoryBoundTensorParallelism, memoryToLinkRatio, prefillSharding } from '../inference/index.ts'
import { criticalIntensity } from '../rooflines/index.ts'
import {
  freeBytes,
  largestBatch,
  latencyThroughputFront,
  prefillSeconds,
  prefillToGenerateRatio,
  requestRate,
  usdPerMillionTokens,
} from '../serving/index.ts'
import { storedBytes } from '../step/dtypes.ts'
import type { PlanNetwork } from './network.ts'
import type { ServingOption } from './servingPlan.ts'
import type { ServingSlice } from './servingSlices.ts'
import { type ServedModel, servingStep } from './servingStep.ts'

/** What is common to all slices of a plan. */
export interface OptionContext {
  served: ServedModel
  accelerator: Accelerator
  network: PlanNetwork
  hbmBytesPerChip: number
  promptTokens: number
  outputTokens: number
  stepLimitSeconds: number | undefined
  prefillUtilisation: number
  communication: 'overlapped' | 'left-out'
  usdPerHour: number | undefined
}

/** The best use of one slice, or why it cannot be used. */
export function servingOption(context: OptionContext, slice: ServingSlice): ServingOption | { reason: string } {
  const { served, hbmBytesPerChip, stepLimitSeconds } = context
  const memory = { chips: slice.chips, hbmBytesPerChip, paramBytes: served.paramBytes }
  const memoryBatch = largestBatch({ ...memory, kvBytesPerSequence: served.kvBytesPerSequence })
  if (memoryBatch === 0) return { reason: 'weights and one sequence do not fit' }
  const { accelerator, network, communication } = context
  const stepOf = (batch: number) => servingStep(served, accelerator, network, slice, batch, communication)
  const floor = stepOf(1)
  if (floor === undefined) {
    const torus = 'no slice of that many chips is offered'
    return { reason: network.kind === 'torus' ? torus : 'no source gives the bandwidth between nodes' }
  }
  if (stepLimitSeconds !== undefined && floor.seconds > stepLimitSeconds) {
    return { reason: `a step takes ${(floor.seconds * 1000).toFixed(2)} ms with one sequence` }
  }
  const within = (batch: number) => stepLimitSeconds === undefined || (stepOf(batch)?.seconds ?? 0) <= stepLimitSeconds
  const batch = largestWithin(memoryBatch, within)
  const step = stepOf(batch) ?? floor
  return {
    ...slice,
    freeBytes: freeBytes(memory).freeBytes,
    memoryBatch,
    batch,
    batchLimitedBy: batch < memoryBatch ? 'latency' : 'memory',
    floorSeconds: floor.seconds,
    step,
    ...ratesOf(context, slice.chips, batch, step.seconds),
    prefillSharding: prefillShardingOf(context, slice.chips),
    maxTensorWays: maxTensorWays(context, batch),
    kvSharding: kvSharding({ ...served.sizes, shards: slice.chips, batch }),
    front: frontOf(batch, slice.chips, (at) => (stepOf(at) ?? floor).seconds),
  }
}

/** The largest batch from 1 to `limit` that holds; steps grow with the batch, so it is found by halving. */
function largestWithin(limit: number, holds: (batch: number) => boolean): number {
  let low = 1
  let high = limit
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function ratesOf(context: OptionContext, chips: number, batch: number, stepSeconds: number) {
  const { served, promptTokens, outputTokens, prefillUtilisation, usdPerHour } = context
  const tokensPerSecond = batch / stepSeconds
  const prefill = prefillSeconds({
    activatedParams: served.sizes.activatedParams,
    tokens: promptTokens,
    chips,
    peakFlopsPerSecond: served.peakFlopsPerSecond,
    utilisation: prefillUtilisation,
  })
  const ratio = prefillToGenerateRatio({ prefillSeconds: prefill, batch, stepSeconds, outputTokens })
  const usd = usdPerHour === undefined ? undefined : usdPerMillionTokens({ chips, usdPerHour, tokensPerSecond })
  return {
    tokensPerSecond,
    tokensPerSecondPerChip: tokensPerSecond / chips,
    requestsPerSecond: requestRate({ batch, stepSeconds, outputTokens, chips }).requestsPerSecond,
    prefillSeconds: prefill,
    prefillToGenerate: ratio,
    usdPerMillionTokens: usd,
    usdPerMillionTokensWithPrefill: usd === undefined ? undefined : usd * (1 + ratio),
  }
}

/** Bandwidth of one axis or GPU, and the axes that tensor parallelism may span. */
const linkOf = (network: PlanNetwork): { linkBytesPerSecond: number; axes: number } =>
  network.kind === 'torus'
    ? { linkBytesPerSecond: network.linkBytesPerSecond, axes: network.axes }
    : { linkBytesPerSecond: network.gpuBytesPerSecond, axes: 1 }

function prefillShardingOf({ served, network }: OptionContext, chips: number): ServingOption['prefillSharding'] {
  const { linkBytesPerSecond, axes } = linkOf(network)
  return prefillSharding({
    chips,
    dFf: served.sizes.dFf,
    criticalIntensity: criticalIntensity(served.peakFlopsPerSecond, linkBytesPerSecond),
    axes,
    bytesPerElement: storedBytes[served.dtypes.activations],
  })
}

function maxTensorWays({ served, accelerator, network }: OptionContext, batch: number): number {
  const { hbmBytesPerSecond } = accelerator
  const { linkBytesPerSecond, axes } = linkOf(network)
  return memoryBoundTensorParallelism({
    dFf: served.sizes.dFf,
    batchTokens: batch,
    memoryToLinkRatio: memoryToLinkRatio({ hbmBytesPerSecond, linkBytesPerSecond }),
    axes,
    weightBytes: storedBytes[served.dtypes.weights],
    activationBytes: storedBytes[served.dtypes.activations],
  })
}

function frontOf(limit: number, chips: number, secondsOf: (batch: number) => number): ServingOption['front'] {
  const batches: number[] = []
  for (let batch = 1; batch < limit; batch *= 2) batches.push(batch)
  const points = [...batches, limit].map((batch) => {
    const seconds = secondsOf(batch)
    return { batch, seconds, tokensPerSecondPerChip: batch / seconds / chips }
  })
  return latencyThroughputFront(points)
}
