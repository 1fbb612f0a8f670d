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

/** A fleet that generates `tokensPerSecond` in all, its load shared evenly. */
export interface FleetPoint {
  replicas: number
  /** Sequences that each replica must decode at once. */
  batch: number
  step: StepPoint
}

/**
 * The smallest batch at which one replica generates that many tokens a second: batch / step(batch) grows with the batch,
 * so it is found by halving. Undefined when even the fullest replica does not get there.
 */
export const batchForRate = (
  deployment: Deployment,
  tokensPerSecond: number,
  contextTokens: number,
): number | undefined => {
  const carries = (batch: number): boolean =>
    batch / decodePoint(deployment, batch, contextTokens).seconds >= tokensPerSecond
  let high = mostSequences(deployment, contextTokens)
  if (high < 1 || !carries(high)) return undefined
  let low = 0
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (carries(middle)) high = middle
    else low = middle
  }
  return high
}

/** Fleets of ever more replicas under one load, from the smallest that carries it to eight times as many. */
export const fleetsUnder = (deployment: Deployment, tokensPerSecond: number): FleetPoint[] => {
  const { contextTokens, tp } = deployment.choice
  const most = mostSequences(deployment, contextTokens)
  if (most < 1) return []
  const fullest = most / decodePoint(deployment, most, contextTokens).seconds
  const least = Math.max(1, Math.ceil(tokensPerSecond / fullest))
  const counts = new Set(Array.from({ length: 25 }, (_, step) => Math.round(least * 2 ** (step / 8))))
  return [...counts].flatMap((replicas) => {
    const batch = batchForRate(deployment, tokensPerSecond / replicas, contextTokens)
    if (batch === undefined) return []
    const step = decodePoint(deployment, batch, contextTokens)
    const perChip = tokensPerSecond / replicas / tp
    const { price } = deployment
    const usdPerMillion =
      price === undefined
        ? undefined
        : usdPerMillionTokens({ chips: replicas * tp, usdPerHour: price, tokensPerSecond })
    return [{ replicas, batch, step: { ...step, tokensPerSecondPerChip: perChip, usdPerMillion } }]
  })
}
