import { type KvCapacity, kvCapacityOrLess } from '@windtunnel/cost/memory/kvCapacity'
import { usdPerMillionTokens } from '@windtunnel/cost/serving/money'
import { attentionWindowTokens } from '@windtunnel/cost/step/attentionWindow'
import { createStepCost } from '@windtunnel/cost/step/createStepCost'
import { emptyBatch, type StepBreakdown, type StepCost } from '@windtunnel/cost/step/stepCost'
import { type Accelerator, accelerator } from '@windtunnel/hardware'
import { type Architecture, model } from '@windtunnel/models'
import type { Choice } from './choice.ts'

/** A replica as chosen, with its step cost and memory. */
export interface Deployment {
  choice: Choice
  architecture: Architecture
  accelerator: Accelerator
  cost: StepCost
  capacity: KvCapacity
  /** US dollars per accelerator and hour; undefined where no source gives a price. */
  price: number | undefined
}

/** One decode step of a batch. */
export interface StepPoint {
  batch: number
  contextTokens: number
  seconds: number
  parts: StepBreakdown
  tokensPerSecondPerChip: number
  usdPerMillion: number | undefined
}

/** The deployment; or the sentence that says why there cannot be one. */
export const deploymentOf = (choice: Choice): Deployment | string => {
  try {
    const architecture = model(choice.model)
    const chip = accelerator(choice.accelerator)
    const layout = { tp: choice.tp }
    const dtypes = { weights: choice.weights, keyValues: choice.keyValues }
    return {
      choice,
      architecture,
      accelerator: chip,
      cost: createStepCost({ backend: choice.backend, architecture, accelerator: chip, layout, dtypes }),
      capacity: kvCapacityOrLess({ architecture, accelerator: chip, layout, dtypes }),
      price: choice.price ?? chip.priceUsdPerHour,
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Sequences of that context whose KV fits. */
export const mostSequences = (deployment: Deployment, contextTokens: number): number =>
  Math.floor(deployment.capacity.blocks / Math.ceil(contextTokens / deployment.capacity.blockTokens))

/** A step in which `batch` sequences of equal context decode one token each. */
export const decodePoint = (deployment: Deployment, batch: number, contextTokens: number): StepPoint => {
  const { cost, architecture, choice, price } = deployment
  const step = emptyBatch()
  const window = attentionWindowTokens(architecture)
  step.decodeSequences = batch
  step.decodeContextTokens = batch * contextTokens
  step.decodeWindowTokens = batch * Math.min(contextTokens, window ?? contextTokens)
  const seconds = cost.seconds(step)
  return {
    batch,
    contextTokens,
    seconds,
    parts: cost.breakdown(step),
    tokensPerSecondPerChip: batch / seconds / choice.tp,
    usdPerMillion:
      price === undefined
        ? undefined
        : usdPerMillionTokens({ chips: choice.tp, usdPerHour: price, tokensPerSecond: batch / seconds }),
  }
}

/** Batches for a curve: about six for each doubling, whole and without repeats, up to `most`. */
export const batchesUpTo = (most: number): number[] => {
  const batches = new Set<number>()
  for (let step = 0; 2 ** (step / 6) <= most; step += 1) batches.add(Math.round(2 ** (step / 6)))
  if (most >= 1) batches.add(most)
  return [...batches].sort((a, b) => a - b)
}
