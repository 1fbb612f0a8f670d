import type { Architecture, Layer } from '../architecture.ts'
import type { Attention } from '../layers/attention.ts'
import type { Mlp } from '../layers/mlp.ts'
import { attentionParameters } from './attentionParameters.ts'
import { flopsPerPair, recurrenceFlopsPerToken } from './flops.ts'
import { kvElementsRead, kvElementsStored } from './kv.ts'
import { mlpParameters } from './mlpParameters.ts'
import { layerNormParameters } from './parameters.ts'
import { convolutionElements, recurrentElements } from './recurrentState.ts'

/** One kind of layer and how many there are: what a cost model needs, in elements, parameters and FLOPs. */
export interface LayerShape {
  readonly count: number
  readonly kind: Attention['kind']
  readonly queryHeads: number
  /** 1 for latent attention, whose cache cannot be split by heads; key heads for linear attention. */
  readonly kvHeads: number
  /** Elements of a query or key head (latent: no-position and rotary parts together). */
  readonly headDim: number
  readonly valueHeadDim: number
  /** Tokens a query can see; undefined where it sees all. */
  readonly windowTokens: number | undefined
  /** Tokens that a sparse indexer picks per query; undefined without one. */
  readonly sparseTokens: number | undefined
  readonly qkNorm: boolean
  readonly kvElementsStored: number
  readonly kvElementsRead: number
  readonly recurrentElements: number
  readonly convolutionElements: number
  readonly flopsPerPair: number
  readonly recurrenceFlopsPerToken: number
  readonly attentionParameters: number
  readonly normParameters: number
  readonly mlpParameters: number
  readonly activatedMlpParameters: number
  readonly attention: Attention
  readonly mlp: Mlp
}

const heads = (attention: Attention) => {
  switch (attention.kind) {
    case 'latent':
      return {
        queryHeads: attention.queryHeads,
        kvHeads: 1,
        headDim: attention.nopeHeadDim + attention.ropeHeadDim,
        valueHeadDim: attention.valueHeadDim,
      }
    case 'linear':
      return {
        queryHeads: attention.valueHeads,
        kvHeads: attention.keyHeads,
        headDim: attention.keyHeadDim,
        valueHeadDim: attention.valueHeadDim,
      }
    default:
      return {
        queryHeads: attention.queryHeads,
        kvHeads: attention.kvHeads,
        headDim: attention.headDim,
        valueHeadDim: attention.valueHeadDim ?? attention.headDim,
      }
  }
}

const windowOf = (attention: Attention): number | undefined => {
  if (attention.kind === 'sliding-window' || attention.kind === 'chunked') return attention.windowTokens
  if (attention.kind !== 'latent' || attention.compressedCache === undefined) return undefined
  return attention.compressedCache.tokensPerEntry === undefined ? attention.compressedCache.windowTokens : undefined
}

const shapeOf = (architecture: Architecture, { attention, mlp }: Layer, count: number): LayerShape => {
  const mlpCounts = mlpParameters(mlp, architecture.hiddenSize)
  return {
    count,
    kind: attention.kind,
    ...heads(attention),
    windowTokens: windowOf(attention),
    sparseTokens: attention.kind === 'latent' ? attention.indexer?.topTokens : undefined,
    qkNorm: 'qkNorm' in attention && attention.qkNorm !== undefined,
    kvElementsStored: kvElementsStored(attention),
    kvElementsRead: kvElementsRead(attention),
    recurrentElements: recurrentElements(attention),
    convolutionElements: convolutionElements(attention),
    flopsPerPair: flopsPerPair(attention),
    recurrenceFlopsPerToken: recurrenceFlopsPerToken(attention),
    attentionParameters: attentionParameters(attention, architecture.hiddenSize),
    normParameters: layerNormParameters(architecture),
    mlpParameters: mlpCounts.total,
    activatedMlpParameters: mlpCounts.activated,
    attention,
    mlp,
  }
}

/** The distinct kinds of layer of a model, in order of first appearance, each with its count. Counts sum to the layers. */
export const layerShapes = (architecture: Architecture): LayerShape[] => {
  const groups = new Map<string, { layer: Layer; count: number }>()
  for (const layer of architecture.layers) {
    const key = JSON.stringify(layer)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { layer, count: 1 })
    else group.count += 1
  }
  return [...groups.values()].map(({ layer, count }) => shapeOf(architecture, layer, count))
}
