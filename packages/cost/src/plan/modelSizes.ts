import { type Architecture, type Mlp, parameterCounts } from '@windtunnel/models'
import { CostInputError } from '../costInputError.ts'

/** The sizes of a model that the book's rules take, averaged over layers where they differ. */
export interface ModelSizes {
  name: string
  params: number
  /** Parameters one token uses. */
  activatedParams: number
  layers: number
  dModel: number
  /** Feed-forward width that one token uses: of all its experts together in a mixture. Mean over layers. */
  dFf: number
  /** Feed-forward width held over that used: E/k in a mixture of experts, 1 in a dense model. */
  heldPerUsedWeight: number
  queryHeads: number
  kvHeads: number
  headDim: number
}

/** The sizes a planner needs, from an architecture. Heads are those of the first layer with softmax attention. */
export function modelSizes(architecture: Architecture): ModelSizes {
  const { layers, hiddenSize, name } = architecture
  if (layers.length === 0) {
    throw new CostInputError({ where: `plan for ${name}`, quantity: 'layers', expected: 'at least one', found: 0 })
  }
  const counts = parameterCounts(architecture)
  let used = 0
  let held = 0
  for (const { mlp } of layers) {
    const widths = widthsOf(mlp)
    used += widths.used
    held += widths.held
  }
  return {
    name,
    params: counts.total,
    activatedParams: counts.activated,
    layers: layers.length,
    dModel: hiddenSize,
    dFf: used / layers.length,
    heldPerUsedWeight: held / used,
    ...headsOf(architecture),
  }
}

function widthsOf(mlp: Mlp): { used: number; held: number } {
  if (mlp.kind === 'dense') return { used: mlp.intermediateSize, held: mlp.intermediateSize }
  const shared = mlp.sharedExperts * (mlp.sharedExpertIntermediateSize ?? mlp.expertIntermediateSize)
  return {
    used: mlp.expertsPerToken * mlp.expertIntermediateSize + shared,
    held: mlp.experts * mlp.expertIntermediateSize + shared,
  }
}

/** Latent attention keeps one cache for all heads, so it counts as one KV head. */
function headsOf(architecture: Architecture): { queryHeads: number; kvHeads: number; headDim: number } {
  for (const { attention } of architecture.layers) {
    if (attention.kind === 'linear') continue
    if (attention.kind !== 'latent') {
      return { queryHeads: attention.queryHeads, kvHeads: attention.kvHeads, headDim: attention.headDim }
    }
    return { queryHeads: attention.queryHeads, kvHeads: 1, headDim: attention.valueHeadDim }
  }
  return { queryHeads: 1, kvHeads: 1, headDim: 1 }
}
