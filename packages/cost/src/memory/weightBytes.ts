import { type Architecture, parameterCounts } from '@windtunnel/models'
import { expertWeightsOf, type StepDtypes, storedBytes } from '../step/dtypes.ts'
import type { Gemm } from '../step/layerGemms.ts'
import type { ReplicaLayout } from '../step/layout.ts'
import { gemmsOf, type ShardedLayers, shardModel } from '../step/shardedModel.ts'

const elementsOf = (gemms: readonly Gemm[]): number => gemms.reduce((sum, gemm) => sum + gemm.outputs * gemm.inputs, 0)

function expertElements(group: ShardedLayers): number {
  const { experts } = group
  if (experts === undefined) return 0
  const each = experts.matrices * experts.hiddenSize * experts.intermediateSize
  return (each * experts.experts) / experts.expertParallelRanks
}

/**
 * Bytes of weights on the fullest accelerator of a replica. Matrices are split over tensor ranks (KV projections copied
 * where there are more ranks than KV heads, down-projections of latent attention on every rank), experts over tp * dp,
 * layers over stages. Embedding, output head and norms stay in 16 bits, as checkpoints keep them.
 */
export function weightBytesPerAccelerator(
  architecture: Architecture,
  layout: ReplicaLayout,
  dtypes: StepDtypes,
): number {
  const model = shardModel(architecture, layout, dtypes)
  const expertBytes = storedBytes[expertWeightsOf(dtypes)]
  let layerBytes = 0
  for (const group of model.groups) {
    const everyToken = elementsOf(gemmsOf(group)) * storedBytes[dtypes.weights]
    layerBytes += group.count * (everyToken + expertElements(group) * expertBytes)
  }
  const counts = parameterCounts(architecture)
  const stageShare = Math.ceil(model.layerCount / layout.pp) / model.layerCount
  const embeddings = layout.pp === 1 ? counts.embedding + counts.unembedding : counts.embedding
  const sixteenBit = (embeddings + counts.extras) / layout.tp + counts.norms * stageShare
  return layerBytes * stageShare + sixteenBit * storedBytes.bf16
}
