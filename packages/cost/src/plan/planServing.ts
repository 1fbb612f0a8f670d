import { kvBytesPerToken } from '@windtunnel/models'
import { requireCount, requirePositive, requireShare } from '../costInputError.ts'
import { criticalBatch } from '../rooflines/index.ts'
import { minChipsForWeightLatency, smallestSlice } from '../serving/index.ts'
import { arithmeticNotes, fasterFormats, stepDtypesOf, storedBytes } from '../step/dtypes.ts'
import { moeCriticalBatchTokens } from '../transformer/index.ts'
import { modelSizes } from './modelSizes.ts'
import { networkNotes, networkOf } from './network.ts'
import { type OptionContext, servingOption } from './servingOption.ts'
import type { ServingOption, ServingPlan, ServingQuestion } from './servingPlan.ts'
import { servingSlices } from './servingSlices.ts'
import { type ServedModel, servedModel, weightBytesRead } from './servingStep.ts'

/**
 * How to serve a model on some accelerators: the smallest slice that holds it and keeps to a limit, the batch on every
 * slice, what a step waits for, throughput, prefill servers per generate server, and cost. The questions of book ch. 7
 * and 8 (I1 to I14, S1 to S10) for any model and hardware.
 * @throws CostInputError for sizes that mean nothing, or links without a known bandwidth.
 */
export function planServing(question: ServingQuestion): ServingPlan {
  check(question)
  const { model, accelerator, contextTokens, stepLimitSeconds } = question
  const dtypes = stepDtypesOf(question.dtypes)
  const sizes = modelSizes(model)
  const network = networkOf(accelerator)
  const served = servedModel(model, sizes, accelerator, dtypes, contextTokens)
  const context: OptionContext = {
    served,
    accelerator,
    network,
    hbmBytesPerChip: accelerator.hbmBytes * (question.memoryShare ?? 1),
    promptTokens: question.promptTokens,
    outputTokens: question.outputTokens,
    stepLimitSeconds,
    prefillUtilisation: question.prefillUtilisation ?? 0.4,
    communication: question.communication ?? 'overlapped',
    usdPerHour: question.usdPerHour ?? accelerator.priceUsdPerHour,
  }
  const { options, rejected } = optionsOf(context, question.chipCounts)
  return {
    model: sizes,
    accelerator: accelerator.name,
    network,
    dtypes,
    paramBytes: served.paramBytes,
    kvBytesPerToken: kvBytesPerToken(model, storedBytes[dtypes.keyValues]),
    kvBytesPerSequence: served.kvBytesPerSequence,
    kvReadBytesPerSequence: served.kvReadBytesPerSequence,
    criticalBatchTokens: criticalBatchOf(context),
    minChips: minChipsOf(context),
    options,
    rejected,
    smallest: options[0],
    mostProductive: mostProductive(options),
    fasterFormats: fasterFormats(accelerator, dtypes),
    assumptions: assumptionsOf(context),
  }
}

function check(question: ServingQuestion): void {
  const { contextTokens, promptTokens, outputTokens, stepLimitSeconds = 1, usdPerHour = 1 } = question
  const { prefillUtilisation = 1, memoryShare = 1, chipCounts = [] } = question
  requirePositive('planServing', { contextTokens, promptTokens, outputTokens, stepLimitSeconds, usdPerHour })
  requireShare('planServing', { prefillUtilisation, memoryShare })
  for (const chips of chipCounts) requireCount('planServing', { chips })
}

function optionsOf(context: OptionContext, chipCounts: readonly number[] | undefined) {
  const options: ServingOption[] = []
  const rejected: ServingPlan['rejected'][number][] = []
  for (const slice of servingSlices(context.accelerator, chipCounts)) {
    const found = servingOption(context, slice)
    if ('reason' in found) rejected.push({ ...slice, reason: found.reason })
    else options.push(found)
  }
  return { options, rejected }
}

function mostProductive(options: readonly ServingOption[]): ServingOption | undefined {
  let best: ServingOption | undefined
  for (const option of options) {
    if (best === undefined || option.tokensPerSecondPerChip > best.tokensPerSecondPerChip) best = option
  }
  return best
}

const weightBytes = (served: ServedModel): number => storedBytes[served.dtypes.weights]

function criticalBatchOf({ served, accelerator }: OptionContext): number {
  const dense = criticalBatch(served.peakFlopsPerSecond, accelerator.hbmBytesPerSecond, weightBytes(served))
  if (served.routed === undefined) return dense
  return moeCriticalBatchTokens({ ...served.routed, denseCriticalBatchTokens: dense })
}

function minChipsOf({ served, accelerator, hbmBytesPerChip, stepLimitSeconds }: OptionContext) {
  const { hbmBytesPerSecond } = accelerator
  const paramBytes = weightBytesRead(served, 1)
  return {
    byMemory: smallestSlice({ bytes: served.paramBytes, hbmBytesPerChip }).minChips,
    byLatency:
      stepLimitSeconds === undefined
        ? undefined
        : minChipsForWeightLatency({ paramBytes, hbmBytesPerSecond, limitSeconds: stepLimitSeconds }),
  }
}

function assumptionsOf({ served, accelerator, prefillUtilisation, network, communication }: OptionContext): string[] {
  const spread = network.kind === 'torus' ? 'all axes of the slice' : 'all GPUs, over nodes at the egress of a node'
  return [
    ...arithmeticNotes(accelerator, served.dtypes),
    ...networkNotes(accelerator, network),
    'every sequence holds, and each step reads, the cache of its full context',
    'weights, caches and arithmetic split evenly over the slice; peak FLOP/s and bandwidth are reached',
    `tensor parallelism over ${spread}, its collectives ${communication === 'overlapped' ? 'overlapped with the matmuls' : 'left out'}`,
    'the AllToAlls of a cache split over the batch are left out',
    `prefill at a model FLOPs utilisation of ${prefillUtilisation}, on slices like the generate one, attention left out`,
    ...(served.routed === undefined ? [] : ['a token picks its experts evenly; a step reads the experts it touches']),
  ]
}
