import { requireNonNegative, requirePositive } from '../costInputError.ts'

/** Bytes per parameter of training with Adam: 2 for the bf16 weight, 4 and 4 for the fp32 moments. Book ch. 5, T1. */
export const adamBytesPerParam = { weights: 2, optimizer: 8, total: 10 } as const

/** Bytes of weights and optimizer state, without activations: 10 per parameter with Adam in the book's dtypes. T1. */
export function trainingStateBytes(inputs: {
  params: number
  weightBytesPerParam?: number
  optimizerBytesPerParam?: number
}): { weightBytes: number; optimizerBytes: number; totalBytes: number } {
  const { params, weightBytesPerParam = adamBytesPerParam.weights } = inputs
  const { optimizerBytesPerParam = adamBytesPerParam.optimizer } = inputs
  requirePositive('trainingStateBytes', { params, weightBytesPerParam })
  requireNonNegative('trainingStateBytes', { optimizerBytesPerParam })
  const weightBytes = params * weightBytesPerParam
  const optimizerBytes = params * optimizerBytesPerParam
  return { weightBytes, optimizerBytes, totalBytes: weightBytes + optimizerBytes }
}

/** Parameters of the largest model that pure data parallelism can train: HBM over bytes per parameter. T1. */
export function maxParamsOfDataParallelism(inputs: { hbmBytes: number; bytesPerParam?: number }): number {
  const { hbmBytes, bytesPerParam = adamBytesPerParam.total } = inputs
  requirePositive('maxParamsOfDataParallelism', { hbmBytes, bytesPerParam })
  return hbmBytes / bytesPerParam
}

/**
 * Bytes of activations kept when the outputs of the three MLP matmuls are saved: 2LB(D+2F) in bf16. Saves of D-wide arrays
 * only are `savedActivationBytes`: 2nLBD. Book ch. 5, T12.
 */
export function mlpCheckpointBytes(inputs: {
  layers: number
  batchTokens: number
  dModel: number
  dFf: number
  bytesPerElement?: number
}): number {
  const { layers, batchTokens, dModel, dFf, bytesPerElement = 2 } = inputs
  requirePositive('mlpCheckpointBytes', { layers, batchTokens, dModel, dFf, bytesPerElement })
  return bytesPerElement * layers * batchTokens * (dModel + 2 * dFf)
}

/** What training holds, in bytes, and the chips that can hold it. */
export interface TrainingMemory {
  weightBytes: number
  optimizerBytes: number
  checkpointBytes: number
  totalBytes: number
  minChips: number
  /** Whether weights and optimizer state fit one chip, as pure data parallelism needs. */
  dataParallelFits: boolean
  /** HBM of the slice. */
  hbmBytes: number | undefined
  /** Share of one chip of the slice, everything sharded over all of them. */
  bytesPerChip: number | undefined
}

/**
 * What training holds and the chips that can hold it when everything is sharded over all of them:
 * ceil((10 params + checkpoints)/HBM). Book ch. 5 and 6, T14.
 */
export function trainingMemory(inputs: {
  params: number
  checkpointBytes: number
  hbmBytesPerChip: number
  /** Chips of the slice; without them the totals of the slice are left out. */
  chips?: number
  weightBytesPerParam?: number
  optimizerBytesPerParam?: number
}): TrainingMemory {
  const { checkpointBytes, hbmBytesPerChip, chips } = inputs
  requireNonNegative('trainingMemory', { checkpointBytes })
  requirePositive('trainingMemory', chips === undefined ? { hbmBytesPerChip } : { hbmBytesPerChip, chips })
  const state = trainingStateBytes(inputs)
  const totalBytes = state.totalBytes + checkpointBytes
  return {
    weightBytes: state.weightBytes,
    optimizerBytes: state.optimizerBytes,
    checkpointBytes,
    totalBytes,
    minChips: Math.ceil(totalBytes / hbmBytesPerChip),
    dataParallelFits: state.totalBytes <= hbmBytesPerChip,
    hbmBytes: chips === undefined ? undefined : chips * hbmBytesPerChip,
    bytesPerChip: chips === undefined ? undefined : totalBytes / chips,
  }
}
