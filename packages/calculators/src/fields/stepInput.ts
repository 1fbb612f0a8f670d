import type { TensorParallelInput } from '@windtunnel/cost/deployment/tensorParallelStep'
import { allReduce, allReduceModel } from './allReduce.ts'
import { hbm, tp } from './card.ts'
import { choice, flag, tokens, type Values, withDefault } from './field.ts'
import { reductions, stepModel, toStepModel } from './models.ts'

/** How KV heads limit the split, the same on the capacity and on the time path. */
export const kvSplit = withDefault(
  choice(
    ['saturate', 'even'],
    'saturate: KV divides by min(tp, KV heads), further ranks hold copies; even: by tp, as if heads could be cut.',
  ),
  'saturate',
)
export const replicateKvProj = flag('Copy K and V projections with their KV head where tp exceeds the KV heads.')
export const context = tokens('Tokens in the cache before the step.')

/** What a decode step over a tensor-parallel group follows from. */
export const stepFields = {
  model: stepModel,
  tp,
  context,
  bandwidth: hbm,
  reductions,
  allreduce: allReduce,
  kvSplit,
  replicateKvProj: withDefault(replicateKvProj, false),
}

/** The inputs as the cost functions take them. */
export const tensorParallelInput = (of: Omit<Values<typeof stepFields>, 'context'>): TensorParallelInput => ({
  model: toStepModel(of.model),
  tp: of.tp,
  hbmBytesPerSecond: of.bandwidth,
  reductions: of.reductions ?? 2 * of.model.layers,
  allReduce: allReduceModel(of.allreduce),
  kvSplit: of.kvSplit,
  copyKvProjections: of.replicateKvProj,
})
