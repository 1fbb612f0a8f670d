import { CostInputError, requireCount, requirePositive, requireShare } from '../costInputError.ts'
import { matmulFlopsPerSecond, storedBytes } from '../step/dtypes.ts'
import { acrossSlicesBackward, minTokensPerSlice, type TrainingMix, trainingMemory } from '../training/index.ts'
import { savedActivationBytes } from '../transformer/index.ts'
import { type ModelSizes, modelSizes } from './modelSizes.ts'
import { networkOf, type PlanNetwork } from './network.ts'
import { trainingLayouts } from './trainingLayouts.ts'
import { planAssumptions, planTime, planVerdict } from './trainingOutcome.ts'
import type { AnsweredQuestion, TrainingPlan, TrainingQuestion } from './trainingPlan.ts'
import { schemeVerdicts } from './trainingSchemes.ts'

function answered(question: TrainingQuestion): AnsweredQuestion {
  const full = {
    slices: 1,
    utilisation: 0.4,
    overlap: 'overlapped' as const,
    dtype: 'bf16' as const,
    savedArraysPerLayer: 2,
    weightBytesPerParam: 2,
    optimizerBytesPerParam: 8,
    sequenceSharding: true,
    ...question,
    runTokens: question.runTokens,
  }
  const { chips, slices, batchTokens, tokensPerSequence, utilisation } = full
  requireCount('planTraining', { chips, slices })
  requirePositive('planTraining', { batchTokens, tokensPerSequence })
  requireShare('planTraining', { utilisation })
  if (full.runTokens !== undefined) requirePositive('planTraining', { runTokens: full.runTokens })
  return full
}

/**
 * How to train a model on some accelerators: what it holds and whether that fits, the best split between data and tensor
 * parallelism, what bounds it, and how long a step and the run take. The questions of book ch. 6 (T1 to T16) for any
 * model and hardware; GPUs by ch. 12.
 * @throws CostInputError for sizes that mean nothing, several slices of GPUs, or links without a known bandwidth.
 */
export function planTraining(question: TrainingQuestion): TrainingPlan {
  const asked = answered(question)
  const model = modelSizes(asked.model)
  const network = networkOf(asked.accelerator)
  const chips = asked.chips * asked.slices
  const memory = memoryOf(asked, model, chips)
  const layouts = trainingLayouts(asked, model, network)
  const [fastest] = layouts as readonly [TrainingMix, ...TrainingMix[]]
  const { mathSeconds, commsSeconds } = fastest
  const best = { ...fastest, mathOverComms: commsSeconds === 0 ? undefined : mathSeconds / commsSeconds }
  const acrossSlices = between(asked, model, network)
  const outcome = planVerdict(memory, best, acrossSlices)
  const sequences = asked.batchTokens / asked.tokensPerSequence
  return {
    model,
    accelerator: asked.accelerator.name,
    network,
    chips,
    slices: asked.slices,
    memory,
    batch: {
      tokens: asked.batchTokens,
      tokensPerChip: asked.batchTokens / chips,
      sequences,
      maxSequenceShards: Math.floor(sequences),
    },
    schemes: schemeVerdicts(asked, model, network),
    best,
    alternatives: layouts.slice(1, 6),
    acrossSlices,
    ...outcome,
    time: planTime(asked, model, chips, [best, acrossSlices]),
    assumptions: planAssumptions(asked, network),
  }
}

function memoryOf(asked: AnsweredQuestion, model: ModelSizes, chips: number): TrainingPlan['memory'] {
  const checkpointBytes = savedActivationBytes({
    savedArrays: asked.savedArraysPerLayer,
    tokens: asked.batchTokens,
    dModel: model.dModel,
    layers: model.layers,
  })
  const { hbmBytes: hbmBytesPerChip } = asked.accelerator
  const { weightBytesPerParam, optimizerBytesPerParam } = asked
  const bytes = { weightBytesPerParam, optimizerBytesPerParam }
  const { params } = model
  // Each slice holds a whole copy of the weights, and its share of the batch.
  const state = trainingMemory({ params, checkpointBytes: 0, hbmBytesPerChip, ...bytes })
  const all = trainingMemory({ params, checkpointBytes, hbmBytesPerChip, chips, ...bytes })
  const bytesPerChip = state.totalBytes / asked.chips + checkpointBytes / chips
  return { ...all, bytesPerChip, hbmBytesPerChip, fits: bytesPerChip <= hbmBytesPerChip }
}

function between(asked: AnsweredQuestion, model: ModelSizes, network: PlanNetwork): TrainingPlan['acrossSlices'] {
  if (asked.slices === 1 || network.kind !== 'torus') return undefined
  const peakFlopsPerSecond = matmulFlopsPerSecond(asked.accelerator, asked.dtype)
  const dcn = network.dcnBytesPerSecondPerChip
  if (dcn === undefined) {
    const quantity = 'dcnBytesPerSecond'
    const expected = 'given by the accelerator, for several slices'
    throw new CostInputError({ where: `plan on ${asked.accelerator.name}`, quantity, expected, found: undefined })
  }
  const time = acrossSlicesBackward({
    batchTokens: asked.batchTokens,
    dModel: model.dModel,
    dFf: model.dFf,
    heldPerUsedWeight: model.heldPerUsedWeight,
    slices: asked.slices,
    chipsPerSlice: asked.chips,
    peakFlopsPerSecond,
    dcnBytesPerSecondPerChip: dcn,
    bytesPerElement: storedBytes[asked.dtype],
  })
  const perUsed = (storedBytes[asked.dtype] / 2) * model.heldPerUsedWeight
  return {
    ...time,
    tokensPerSlice: asked.batchTokens / asked.slices,
    minTokensPerSlice: perUsed * minTokensPerSlice({ peakFlopsPerSecond, dcnBytesPerSecond: dcn }),
  }
}
