import { type Architecture, type Attention, type LayerShape, layerShapes, type MoeMlp } from '@windtunnel/models'
import { type AttentionWork, attentionWork } from './attentionWork.ts'
import { type StepDtypes, storedBytes } from './dtypes.ts'
import { feedForwardGemms, type Gemm, mixerGemms } from './layerGemms.ts'
import type { ReplicaLayout } from './layout.ts'

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

/** Every weight matrix of a layer on one rank but those of routed experts. */
export const gemmsOf = (group: ShardedLayers): readonly Gemm[] => [
  ...group.mixerGemms,
  ...group.feedForwardGemms,
  ...group.routerGemms,
]

/** All-reduces over tensor ranks in one layer: after the mixer, and after the feed-forward unless experts are dispatched. */
export const allReducesPerLayer = (group: ShardedLayers, layout: ReplicaLayout): number =>
  group.experts !== undefined && layout.dp > 1 ? 1 : 2

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
