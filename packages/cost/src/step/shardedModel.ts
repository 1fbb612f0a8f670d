import {
  type Architecture,
  type Attention,
  isGrouped,
  type LatentAttention,
  type LayerShape,
  layerShapes,
  type MoeMlp,
} from '@windtunnel/models'
import { type StepDtypes, storedBytes } from './dtypes.ts'
import { keyValueHeadsPerRank, type ReplicaLayout } from './layout.ts'

/** One weight matrix on one rank: C[m, outputs] = A[m, inputs] B[inputs, outputs]. */
export interface Gemm {
  outputs: number
  inputs: number
}

/** Softmax attention of one layer on one rank. */
export interface AttentionWork {
  kind: 'grouped' | 'latent'
  heads: number
  /** FLOPs per pair of a new token and one it sees, all heads of the rank; a decode step over the compressed KV of latent attention does more of them. */
  prefillFlopsPerPair: number
  decodeFlopsPerPair: number
  /** KV bytes read per token seen within the window. */
  windowBytesPerToken: number
  /** KV bytes read per token of the whole context (the keys of a sparse indexer, or all of it without a window). */
  contextBytesPerToken: number
  /** Bytes of queries read and outputs written per new token. */
  queryBytesPerToken: number
  /** Tokens a new token sees at most; undefined where it sees all. */
  windowTokens: number | undefined
}

/** A recurrent mixer of one layer on one rank. */
export interface RecurrentWork {
  /** Bytes of state of one sequence; a step reads and writes them once. */
  stateBytesPerSequence: number
  flopsPerToken: number
}

/** The experts of one layer: each rank holds experts / expertParallelRanks of them, `intermediateSize` wide. */
export interface ExpertWork {
  hiddenSize: number
  intermediateSize: number
  experts: number
  expertsPerToken: number
  expertParallelRanks: number
  matrices: 2 | 3
}

/** The work of a group of like layers on one rank. */
export interface ShardedLayers {
  count: number
  shape: LayerShape
  mixerGemms: readonly Gemm[]
  feedForwardGemms: readonly Gemm[]
  /** The router of a layer with experts, copied to every rank. */
  routerGemms: readonly Gemm[]
  attention: AttentionWork | undefined
  recurrent: RecurrentWork | undefined
  experts: ExpertWork | undefined
}

/** A model cut for one rank of a layout. */
export interface ShardedModel {
  architecture: Architecture
  layout: ReplicaLayout
  dtypes: StepDtypes
  groups: readonly ShardedLayers[]
  layerCount: number
  /** The output head on one rank. */
  head: Gemm
}

/** Cuts a model for one rank. The layout must have passed requireLayoutFor. */
export function shardModel(architecture: Architecture, layout: ReplicaLayout, dtypes: StepDtypes): ShardedModel {
  const hidden = architecture.hiddenSize
  return {
    architecture,
    layout,
    dtypes,
    layerCount: architecture.layers.length,
    head: { outputs: architecture.vocabSize / layout.tp, inputs: hidden },
    groups: layerShapes(architecture).map((shape) => ({
      count: shape.count,
      shape,
      mixerGemms: mixerGemms(shape, hidden, layout.tp),
      feedForwardGemms: feedForwardGemms(shape, hidden, layout.tp),
      routerGemms: shape.mlp.kind === 'moe' ? [{ outputs: shape.mlp.experts, inputs: hidden }] : [],
      attention: attentionWork(shape, layout.tp, storedBytes[dtypes.keyValues]),
      recurrent: recurrentWork(shape, layout.tp),
      experts: shape.mlp.kind === 'moe' ? expertWork(shape.mlp, hidden, layout) : undefined,
    })),
  }
}

function mixerGemms(shape: LayerShape, hidden: number, tp: number): Gemm[] {
  const { attention } = shape
  if (isGrouped(attention)) {
    const gates = attention.outputGate === true ? 2 : 1
    const queryColumns = (gates * shape.queryHeads * shape.headDim) / tp
    const projected =
      attention.reusesKv === true
        ? 0
        : attention.valuesAreKeys === true
          ? shape.headDim
          : shape.headDim + shape.valueHeadDim
    return [
      { outputs: queryColumns + keyValueHeadsPerRank(shape.kvHeads, tp) * projected, inputs: hidden },
      { outputs: hidden, inputs: (shape.queryHeads * shape.valueHeadDim) / tp },
    ]
  }
  if (attention.kind === 'latent') return latentGemms(attention, hidden, tp)
  const values = attention.valueHeads * attention.valueHeadDim
  return [
    { outputs: (shape.attentionParameters / hidden - values) / tp, inputs: hidden },
    { outputs: hidden, inputs: values / tp },
  ]
}

/** Down-projections are copied to every rank; up-projections and the output are split by heads. */
function latentGemms(attention: LatentAttention, hidden: number, tp: number): Gemm[] {
  const heads = attention.queryHeads / tp
  const queryColumns = heads * (attention.nopeHeadDim + attention.ropeHeadDim)
  const compressed = attention.kvRank + attention.ropeHeadDim
  const queries =
    attention.queryRank === undefined
      ? [{ outputs: queryColumns + compressed, inputs: hidden }]
      : [
          { outputs: attention.queryRank + compressed, inputs: hidden },
          { outputs: queryColumns, inputs: attention.queryRank },
        ]
  return [
    ...queries,
    { outputs: heads * (attention.nopeHeadDim + attention.valueHeadDim), inputs: attention.kvRank },
    { outputs: hidden, inputs: heads * attention.valueHeadDim },
  ]
}

function feedForwardGemms(shape: LayerShape, hidden: number, tp: number): Gemm[] {
  const { mlp } = shape
  if (mlp.kind === 'dense') {
    const width = mlp.intermediateSize / tp
    return [
      { outputs: mlp.gated ? 2 * width : width, inputs: hidden },
      { outputs: hidden, inputs: width },
    ]
  }
  const width = (mlp.sharedExperts * (mlp.sharedExpertIntermediateSize ?? mlp.expertIntermediateSize)) / tp
  if (width === 0) return []
  return [
    { outputs: mlp.gated ? 2 * width : width, inputs: hidden },
    { outputs: hidden, inputs: width },
  ]
}

/** Every weight matrix of a layer on one rank but those of routed experts. */
export const gemmsOf = (group: ShardedLayers): readonly Gemm[] => [
  ...group.mixerGemms,
  ...group.feedForwardGemms,
  ...group.routerGemms,
]

/** All-reduces over tensor ranks in one layer: after the mixer, and after the feed-forward unless experts are dispatched. */
export const allReducesPerLayer = (group: ShardedLayers, layout: ReplicaLayout): number =>
  group.experts !== undefined && layout.dp > 1 ? 1 : 2

function attentionWork(shape: LayerShape, tp: number, keyValueBytes: number): AttentionWork | undefined {
  const { attention } = shape
  if (attention.kind === 'linear') return undefined
  if (attention.kind === 'latent') return latentWork(attention, tp, keyValueBytes)
  const heads = shape.queryHeads / tp
  const bytesPerToken = (shape.kvElementsRead / shape.kvHeads) * keyValueHeadsPerRank(shape.kvHeads, tp) * keyValueBytes
  const flopsPerPair = 2 * heads * (shape.headDim + shape.valueHeadDim)
  return {
    kind: 'grouped',
    heads,
    prefillFlopsPerPair: flopsPerPair,
    decodeFlopsPerPair: flopsPerPair,
    windowBytesPerToken: bytesPerToken,
    contextBytesPerToken: shape.windowTokens === undefined ? bytesPerToken : 0,
    queryBytesPerToken: 2 * heads * (shape.headDim + shape.valueHeadDim),
    windowTokens: shape.windowTokens,
  }
}

/** Decode multiplies queries with the compressed KV itself; prefill expands it to heads first. */
function latentWork(attention: LatentAttention, tp: number, keyValueBytes: number): AttentionWork {
  const heads = attention.queryHeads / tp
  const compressed = attention.kvRank + attention.ropeHeadDim
  const bytesPerToken = compressed * keyValueBytes
  const { indexer } = attention
  return {
    kind: 'latent',
    heads,
    prefillFlopsPerPair: 2 * heads * (attention.nopeHeadDim + attention.ropeHeadDim + attention.valueHeadDim),
    decodeFlopsPerPair: 2 * heads * (compressed + attention.kvRank),
    windowBytesPerToken: bytesPerToken,
    contextBytesPerToken: indexer === undefined ? bytesPerToken : indexer.headDim * keyValueBytes,
    queryBytesPerToken: 2 * heads * (compressed + attention.kvRank),
    windowTokens: indexer?.topTokens,
  }
}

const STATE_BYTES = 4
const CONVOLUTION_BYTES = 2

function recurrentWork(shape: LayerShape, tp: number): RecurrentWork | undefined {
  const { attention } = shape as { attention: Attention }
  if (attention.kind !== 'linear') return undefined
  const bytes = shape.recurrentElements * STATE_BYTES + shape.convolutionElements * CONVOLUTION_BYTES
  return { stateBytesPerSequence: bytes / tp, flopsPerToken: shape.recurrenceFlopsPerToken / tp }
}

function expertWork(mlp: MoeMlp, hiddenSize: number, layout: ReplicaLayout): ExpertWork {
  const shards = (layout.tp * layout.dp) / layout.ep
  return {
    hiddenSize,
    intermediateSize: mlp.expertIntermediateSize / shards,
    experts: mlp.experts,
    expertsPerToken: mlp.expertsPerToken,
    expertParallelRanks: layout.ep,
    matrices: mlp.gated ? 3 : 2,
  }
}
