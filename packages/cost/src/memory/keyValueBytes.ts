import { type Architecture, type LayerShape, layerShapes } from '@windtunnel/models'
import { type StepDtype, storedBytes } from '../step/dtypes.ts'
import { keyValueHeadsPerRank, type ReplicaLayout } from '../step/layout.ts'

/** Share of the layers that the fullest pipeline stage holds. */
const stageShare = (architecture: Architecture, layout: ReplicaLayout): number =>
  Math.ceil(architecture.layers.length / layout.pp) / architecture.layers.length

const elementsPerRank = (shape: LayerShape, tp: number): number =>
  shape.attention.kind === 'latent'
    ? shape.kvElementsStored
    : (shape.kvElementsStored / shape.kvHeads) * keyValueHeadsPerRank(shape.kvHeads, tp)

/** KV that one accelerator keeps, in bytes. */
export interface KeyValueBytes {
  /** For every token of a sequence. */
  perToken: number
  /** For every sequence, whatever its length: filled attention windows and recurrent state. */
  perSequence: number
}

/**
 * KV of one accelerator: layers that see everything cost by the token, windowed layers at most their window and recurrent
 * layers a fixed state by the sequence. Latent attention is copied to every tensor rank. Chunked attention is counted by the
 * token, as vLLM keeps all of it, and so is a model whose attention layers are all windowed: its blocks follow its tokens.
 */
export function keyValueBytesPerAccelerator(
  architecture: Architecture,
  layout: ReplicaLayout,
  dtype: StepDtype,
): KeyValueBytes {
  const shapes = layerShapes(architecture)
  const onlyWindows = shapes.every((shape) => shape.kind === 'linear' || shape.windowTokens !== undefined)
  const share = stageShare(architecture, layout)
  const bytes = { perToken: 0, perSequence: 0 }
  for (const shape of shapes) {
    if (shape.kind === 'linear') {
      const state = shape.recurrentElements * storedBytes.fp32 + shape.convolutionElements * storedBytes.bf16
      bytes.perSequence += (shape.count * share * state) / layout.tp
      continue
    }
    const each = (shape.count * share * elementsPerRank(shape, layout.tp) * storedBytes[dtype]) / layout.sp
    if (shape.windowTokens === undefined || shape.kind === 'chunked' || onlyWindows) bytes.perToken += each
    else bytes.perSequence += each * shape.windowTokens
  }
  return bytes
}
