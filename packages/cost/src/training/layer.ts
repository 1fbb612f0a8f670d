import { requireCount, requirePositive } from '../costInputError.ts'
import { mathSeconds } from '../rooflines/time.ts'

/**
 * The layer of chapter 5: `In[B,D] W_in[D,F] W_out[F,D]`, attention and gating left out. What bounds it does not depend
 * on the number of layers.
 */
export interface TrainingLayer {
  /** Tokens of the batch over all chips of the layout. */
  batchTokens: number
  dModel: number
  dFf: number
  /** Bytes per element of weights and activations; 2 (bf16) in the book. */
  bytesPerElement?: number
  /** Weights held over weights a token uses: E/k in a mixture of experts, 1 in a dense layer. `dFf` is what is used. */
  heldPerUsedWeight?: number
}

/** A chip and the links of one mesh axis. */
export interface TrainingChip {
  /** Peak of one chip for the compute dtype. */
  peakFlopsPerSecond: number
  /** Bandwidth of one hardware axis, both directions together. */
  linkBytesPerSecond: number
}

/** Whether arithmetic or communication takes longer; equal times count as comms-bound, for nothing is left over. */
export type TrainingVerdict = 'compute-bound' | 'comms-bound'

export const verdictOf = (holds: boolean): TrainingVerdict => (holds ? 'compute-bound' : 'comms-bound')

/** Seconds of one pass over one layer: arithmetic, communication, and the longer of the two. */
export interface LayerTime {
  mathSeconds: number
  commsSeconds: number
  /** The longer, as if the two overlapped wholly. */
  seconds: number
  verdict: TrainingVerdict
}

export const layerTime = (math: number, comms: number): LayerTime => ({
  mathSeconds: math,
  commsSeconds: comms,
  seconds: Math.max(math, comms),
  verdict: verdictOf(math > comms),
})

/** Seconds of the layer's arithmetic over `shards` chips: 4BDF forward, 8BDF backward. */
export function layerMathSeconds(
  layer: TrainingLayer,
  chip: TrainingChip,
  shards: number,
  pass: 'forward' | 'backward',
): number {
  const flops = (pass === 'forward' ? 4 : 8) * layer.batchTokens * layer.dModel * layer.dFf
  return mathSeconds(flops / shards, chip.peakFlopsPerSecond)
}

/** Throws CostInputError on sizes of a layer, a chip or an axis count that mean nothing. */
export function checkLayer(
  where: string,
  layer: TrainingLayer,
  chip: TrainingChip,
  counts: Record<string, number>,
): void {
  const { batchTokens, dModel, dFf, bytesPerElement = 2, heldPerUsedWeight = 1 } = layer
  const { peakFlopsPerSecond, linkBytesPerSecond } = chip
  requirePositive(where, { batchTokens, dModel, dFf, bytesPerElement, heldPerUsedWeight })
  requirePositive(where, { peakFlopsPerSecond, linkBytesPerSecond })
  requireCount(where, counts)
}

/** Bytes of the two weight matrices of a layer, all experts counted: 2DF elements. */
export const layerWeightBytes = (layer: Omit<TrainingLayer, 'batchTokens'>): number =>
  2 * (layer.bytesPerElement ?? 2) * layer.dModel * layer.dFf * (layer.heldPerUsedWeight ?? 1)

/** Bytes of the input and the output of a layer over the whole batch: 2BD elements. */
export const layerActivationBytes = (layer: Omit<TrainingLayer, 'dFf'>): number =>
  2 * (layer.bytesPerElement ?? 2) * layer.batchTokens * layer.dModel
