import { CostInputError } from '../costInputError.ts'
import { matmulFlopsPerSecond, storedBytes } from '../step/dtypes.ts'
import { switchedMixes, type TrainingMix, trainingMixes } from '../training/index.ts'
import type { ModelSizes } from './modelSizes.ts'
import type { PlanNetwork } from './network.ts'
import type { TrainingQuestion } from './trainingPlan.ts'

type Asked = Required<
  Pick<
    TrainingQuestion,
    'accelerator' | 'chips' | 'slices' | 'batchTokens' | 'tokensPerSequence' | 'overlap' | 'dtype' | 'sequenceSharding'
  >
>

/** The layer of chapter 5 with the sizes of a model and a slice's share of the batch. */
export const planLayer = (asked: Asked, model: ModelSizes) => ({
  batchTokens: asked.batchTokens / asked.slices,
  dModel: model.dModel,
  dFf: model.dFf,
  heldPerUsedWeight: model.heldPerUsedWeight,
  bytesPerElement: storedBytes[asked.dtype],
})

/**
 * Every layout of a slice, best first. Tensor parallelism divides the query heads; data parallelism has at least a token,
 * or without sequence sharding a sequence, on each shard.
 * @throws CostInputError where that leaves none, or for several slices of GPUs.
 */
export function trainingLayouts(asked: Asked, model: ModelSizes, network: PlanNetwork): readonly TrainingMix[] {
  const { batchTokens } = planLayer(asked, model)
  const items = asked.sequenceSharding ? batchTokens : batchTokens / asked.tokensPerSequence
  const maxFsdpShards = Math.max(1, Math.min(asked.chips, Math.floor(items)))
  const layouts = mixesOn(asked, model, network, maxFsdpShards)
  const divide = layouts.filter(({ tensorShards }) => model.queryHeads % tensorShards === 0)
  if (divide.length > 0) return divide
  throw new CostInputError({
    where: `planTraining for ${model.name}`,
    quantity: 'chips',
    expected: `splittable into at most ${maxFsdpShards} shards of the batch and a divisor of ${model.queryHeads} query heads`,
    found: asked.chips,
  })
}

function mixesOn(asked: Asked, model: ModelSizes, network: PlanNetwork, maxFsdpShards: number) {
  const { chips, overlap, slices } = asked
  const peakFlopsPerSecond = matmulFlopsPerSecond(asked.accelerator, asked.dtype)
  const layer = { ...planLayer(asked, model), peakFlopsPerSecond, overlap, maxFsdpShards }
  if (network.kind === 'torus') {
    const { axes, linkBytesPerSecond } = network
    return trainingMixes({ ...layer, axes, linkBytesPerSecond, chips })
  }
  if (slices > 1) {
    const expected = '1 on accelerators behind switches; give all of them as chips'
    throw new CostInputError({ where: 'planTraining', quantity: 'slices', expected, found: slices })
  }
  const { gpusPerNode, gpuBytesPerSecond, nodeBytesPerSecond } = network
  return switchedMixes({ ...layer, gpus: chips, gpusPerNode, gpuBytesPerSecond, nodeBytesPerSecond })
}
