import { CostInputError, requireCount, requirePositive, requireShare } from '../costInputError.ts'
import { matmulFlopsPerSecond, storedBytes } from '../step/dtypes.ts'
import {
  acrossSlicesBackward,
  minTokensPerSlice,
  type TrainingMemory,
  type TrainingMix,
  trainingMemory,
  trainingSecondsForTokens,
} from '../training/index.ts'
import { savedActivationBytes } from '../transformer/index.ts'
import { type ModelSizes, modelSizes } from './modelSizes.ts'
import { networkOf, type PlanNetwork } from './network.ts'
import { trainingLayouts } from './trainingLayouts.ts'
import type { TrainingPlan, TrainingQuestion } from './trainingPlan.ts'
import { schemeVerdicts } from './trainingSchemes.ts'

type Answered = Required<Omit<TrainingQuestion, 'runTokens'>> & { runTokens: number | undefined }

function answered(question: TrainingQuestion): Answered {
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
  const outcome = verdictOf(memory, best, acrossSlices)
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
    time: timeOf(asked, model, chips, [best, acrossSlices]),
    assumptions: assumptionsOf(asked, network),
  }
}

function memoryOf(asked: Answered, model: ModelSizes, chips: number): TrainingPlan['memory'] {
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

function between(asked: Answered, model: ModelSizes, network: PlanNetwork): TrainingPlan['acrossSlices'] {
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

function verdictOf(
  memory: TrainingMemory & { fits: boolean },
  best: TrainingMix,
  across: TrainingPlan['acrossSlices'],
): Pick<TrainingPlan, 'verdict' | 'reason'> {
  if (!memory.fits) {
    const reason = `weights, optimizer state and checkpoints do not fit; sharded evenly they need ${memory.minChips} chips`
    return { verdict: 'memory-bound', reason }
  }
  if (best.verdict === 'comms-bound') {
    const slower = best.fsdpSeconds >= best.tensorSeconds ? 'gathering weights' : 'gathering activations'
    return { verdict: 'comms-bound', reason: `${slower} takes longer than the arithmetic in the best layout` }
  }
  if (across?.verdict === 'comms-bound') {
    return { verdict: 'comms-bound', reason: 'gradients between slices take longer than the arithmetic' }
  }
  return { verdict: 'compute-bound', reason: 'arithmetic takes longer than communication in the best layout' }
}

/** Communication that takes longer than arithmetic lowers the utilisation at most to their quotient. */
function timeOf(
  asked: Answered,
  model: ModelSizes,
  chips: number,
  parts: readonly ({ mathSeconds: number; seconds: number } | undefined)[],
): TrainingPlan['time'] {
  const reachable = parts.map((part) => (part === undefined ? 1 : part.mathSeconds / part.seconds))
  const utilisation = Math.min(asked.utilisation, ...reachable)
  const peakFlopsPerSecond = matmulFlopsPerSecond(asked.accelerator, asked.dtype)
  const work = { activatedParams: model.activatedParams, chips, peakFlopsPerSecond, utilisation }
  const stepSeconds = trainingSecondsForTokens({ ...work, tokens: asked.batchTokens })
  const { runTokens } = asked
  const runSeconds = runTokens === undefined ? undefined : trainingSecondsForTokens({ ...work, tokens: runTokens })
  const chipHours = runSeconds === undefined ? undefined : (runSeconds * chips) / 3600
  const price = asked.accelerator.priceUsdPerHour
  return {
    utilisation,
    stepSeconds,
    steps: runTokens === undefined ? undefined : Math.ceil(runTokens / asked.batchTokens),
    runSeconds,
    chipHours,
    usd: chipHours === undefined || price === undefined ? undefined : chipHours * price,
  }
}

function assumptionsOf(asked: Answered, network: PlanNetwork): string[] {
  return [
    `model FLOPs utilisation of ${asked.utilisation} where communication allows`,
    `${asked.savedArraysPerLayer} arrays of tokens x D kept per layer; weights, optimizer state and checkpoints sharded over all chips of a slice`,
    `collectives on different axes ${asked.overlap === 'overlapped' ? 'overlap' : 'run one after the other'}, and overlap with arithmetic`,
    'attention, gating and norms do not change the bound of a layer',
    network.kind === 'torus'
      ? 'every axis of the slice has wraparound links'
      : 'nodes on a fat tree of full bisection; no in-network reduction',
  ]
}
