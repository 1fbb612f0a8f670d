import { CostInputError, requireCount } from '../costInputError.ts'
import type { TrainingChip, TrainingLayer } from './layer.ts'
import { type AxisOverlap, type MixedLayerTime, type MixedShards, mixedForward } from './mixedParallel.ts'

/** One way to lay a batch over the chips, with the forward time of the chapter's layer. */
export interface TrainingMix extends MixedShards, MixedLayerTime {}

export interface MixLimits {
  /** Chips; every layout uses all of them. */
  chips: number
  /** Hardware axes of the torus, shared out between the strategies. */
  axes: number
  overlap: AxisOverlap
  /** Most ways the batch can be split, as by sequences without sequence sharding (T16). */
  maxFsdpShards?: number
  /** Most ways the layer can be split, as by attention heads. */
  maxTensorShards?: number
}

/**
 * All ways to split the chips between fully sharded data parallelism and tensor parallelism, best first: shorter time,
 * then less communication, then less tensor parallelism. Splits are the divisors of `chips`; a strategy alone spans all
 * axes, two share them in every way. Built on T5. Book ch. 5, T9.
 * @throws CostInputError where the limits leave no layout.
 */
export function trainingMixes(inputs: TrainingLayer & TrainingChip & MixLimits): readonly TrainingMix[] {
  const { chips, axes, maxFsdpShards = chips, maxTensorShards = chips } = inputs
  requireCount('trainingMixes', { chips, axes, maxFsdpShards, maxTensorShards })
  const mixes: TrainingMix[] = []
  for (const shards of layouts(chips, axes)) {
    if (shards.fsdpShards > maxFsdpShards || shards.tensorShards > maxTensorShards) continue
    mixes.push({ ...shards, ...mixedForward({ ...inputs, ...shards }) })
  }
  if (mixes.length === 0) {
    throw new CostInputError({
      where: 'trainingMixes',
      quantity: 'maxFsdpShards x maxTensorShards',
      expected: `at least ${chips} ways in divisors of it (on one axis, in one strategy)`,
      found: `${maxFsdpShards} x ${maxTensorShards}`,
    })
  }
  return mixes.sort(byTime)
}

/** Shorter time first, then less communication, then less tensor parallelism. */
export const byTime = (a: TrainingMix, b: TrainingMix): number =>
  a.seconds - b.seconds || a.commsSeconds - b.commsSeconds || a.tensorShards - b.tensorShards

function* layouts(chips: number, axes: number): Generator<MixedShards> {
  for (let tensorShards = 1; tensorShards <= chips; tensorShards++) {
    if (chips % tensorShards !== 0) continue
    const fsdpShards = chips / tensorShards
    if (tensorShards === 1 || fsdpShards === 1) {
      yield { fsdpShards, tensorShards, fsdpAxes: axes, tensorAxes: axes }
      continue
    }
    for (let tensorAxes = 1; tensorAxes < axes; tensorAxes++) {
      yield { fsdpShards, tensorShards, fsdpAxes: axes - tensorAxes, tensorAxes }
    }
  }
}
