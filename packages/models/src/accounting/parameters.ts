import type { Architecture, Layer } from '../architecture.ts'
import type { MoeMlp } from '../layers/mlp.ts'
import { attentionParameters } from './attentionParameters.ts'
import { denseMlpParameters, expertParameters, routerParameters, sharedExpertParameters } from './mlpParameters.ts'

/** Parameters by component; `total` is their sum. */
export interface ParameterCounts {
  readonly attention: number
  /** MLPs of dense layers. */
  readonly mlp: number
  /** Routed experts, all of them. */
  readonly experts: number
  readonly sharedExperts: number
  readonly routers: number
  readonly norms: number
  readonly embedding: number
  /** 0 when tied to the embedding. */
  readonly unembedding: number
  readonly extras: number
  readonly total: number
  /** Parameters one token uses: routed experts count `expertsPerToken` each, the embedding table counts whole. */
  readonly activated: number
  /** The same without the embedding table, of which a token reads one row; the unembedding counts even when tied. */
  readonly activatedInMatmuls: number
}

/** Parameters of the norms of one block. */
export const layerNormParameters = (architecture: Architecture): number =>
  architecture.normsPerLayer * normParameters(architecture)

const normParameters = (architecture: Architecture): number =>
  (architecture.norm === 'layer' ? 2 : 1) * architecture.hiddenSize

const sum = (layers: readonly Layer[], of: (layer: Layer) => number): number =>
  layers.reduce((total, layer) => total + of(layer), 0)

const sumMoe = (layers: readonly Layer[], of: (mlp: MoeMlp) => number): number =>
  sum(layers, ({ mlp }) => (mlp.kind === 'moe' ? of(mlp) : 0))

/** Counts the parameters of a model by component. Formulas M3, M4, M6, M7, M9, with norms, biases and routers. */
export const parameterCounts = (architecture: Architecture): ParameterCounts => {
  const { hiddenSize, vocabSize, layers } = architecture
  const table = hiddenSize * vocabSize
  const attention = sum(layers, (layer) => attentionParameters(layer.attention, hiddenSize))
  const mlp = sum(layers, (layer) => (layer.mlp.kind === 'dense' ? denseMlpParameters(layer.mlp, hiddenSize) : 0))
  const experts = sumMoe(layers, (moe) => moe.experts * expertParameters(moe, hiddenSize))
  const idleExperts = sumMoe(layers, (moe) => (moe.experts - moe.expertsPerToken) * expertParameters(moe, hiddenSize))
  const sharedExperts = sumMoe(layers, (moe) => sharedExpertParameters(moe, hiddenSize))
  const routers = sumMoe(layers, (moe) => routerParameters(moe, hiddenSize))
  const norms = layers.length * layerNormParameters(architecture) + normParameters(architecture)
  const unembeddingBias = architecture.unembeddingBias === true ? vocabSize : 0
  const unembedding = (architecture.tiedEmbeddings ? 0 : table) + unembeddingBias
  const extras = (architecture.extras ?? []).reduce((total, extra) => total + extra.parameters, 0)
  const idleExtras = (architecture.extras ?? []).reduce((t, extra) => t + (extra.activated ? 0 : extra.parameters), 0)
  const total = attention + mlp + experts + sharedExperts + routers + norms + table + unembedding + extras
  const activated = total - idleExperts - idleExtras
  const activatedInMatmuls = activated - table + (architecture.tiedEmbeddings ? table : 0)
  return {
    attention,
    mlp,
    experts,
    sharedExperts,
    routers,
    norms,
    embedding: table,
    unembedding,
    extras,
    total,
    activated,
    activatedInMatmuls,
  }
}
