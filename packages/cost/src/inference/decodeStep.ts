import { requireNonNegative, requirePositive } from '../costInputError.ts'
import { mathSeconds, moveSeconds } from '../rooflines/time.ts'

/** A batch that decodes on a slice, everything sharded over all its chips. */
export interface DecodeBatch {
  /** Sequences, each of which gains one token a step. */
  batch: number
  /** KV cache bytes of one sequence at its present length. */
  kvBytesPerSequence: number
  /** Bytes of the weights, in the dtype they are stored in. */
  paramBytes: number
}

export interface DecodeSlice {
  chips: number
  /** Memory bandwidth of one chip. */
  hbmBytesPerSecond: number
}

/**
 * The least a decode step can take, and the most tokens it can give, when only memory counts:
 * `(B KV + params)/(chips W)`; `B` over that. For batches too small to be compute-bound. Book ch. 7, I1 and I2.
 */
export function memoryBoundStep(inputs: DecodeBatch & DecodeSlice): {
  totalBytes: number
  seconds: number
  tokensPerSecond: number
} {
  const { batch, kvBytesPerSequence, paramBytes, chips, hbmBytesPerSecond } = inputs
  requireNonNegative('memoryBoundStep', { batch, kvBytesPerSequence })
  requirePositive('memoryBoundStep', { paramBytes, chips, hbmBytesPerSecond })
  const totalBytes = batch * kvBytesPerSequence + paramBytes
  const seconds = moveSeconds(totalBytes, chips * hbmBytesPerSecond)
  return { totalBytes, seconds, tokensPerSecond: batch / seconds }
}

export interface DecodeStep {
  /** Reading the KV cache; always memory-bound. */
  kvSeconds: number
  /** Reading the weights. */
  weightSeconds: number
  /** The matmuls' arithmetic. */
  mathSeconds: number
  /** KV plus the longer of weights and arithmetic. */
  seconds: number
  tokensPerSecond: number
  tokensPerSecondPerChip: number
  /** Whether the matmuls wait for arithmetic or for weights. */
  matmulBound: 'compute' | 'memory'
}

/**
 * A decode step with its arithmetic: attention always waits for memory, so its KV time adds to that of the matmuls:
 * `B KV/W + max(2 B params/C, params bytes/W)`, C and W over all chips. No communication. Book ch. 7, I3; ch. 8, S10.
 */
export function decodeStep(
  inputs: DecodeBatch &
    DecodeSlice & {
      /** Parameters one token uses: all of a dense model, the routed ones of a mixture of experts. */
      activatedParams: number
      /** Peak of one chip for the compute dtype. */
      peakFlopsPerSecond: number
    },
): DecodeStep {
  const { batch, kvBytesPerSequence, paramBytes, chips, hbmBytesPerSecond } = inputs
  const { activatedParams, peakFlopsPerSecond } = inputs
  requirePositive('decodeStep', { batch, paramBytes, chips, hbmBytesPerSecond, activatedParams, peakFlopsPerSecond })
  requireNonNegative('decodeStep', { kvBytesPerSequence })
  const kv = moveSeconds(batch * kvBytesPerSequence, chips * hbmBytesPerSecond)
  const weights = moveSeconds(paramBytes, chips * hbmBytesPerSecond)
  const math = mathSeconds(2 * batch * activatedParams, chips * peakFlopsPerSecond)
  const seconds = kv + Math.max(math, weights)
  return {
    kvSeconds: kv,
    weightSeconds: weights,
    mathSeconds: math,
    seconds,
    tokensPerSecond: batch / seconds,
    tokensPerSecondPerChip: batch / seconds / chips,
    matmulBound: math > weights ? 'compute' : 'memory',
  }
}

/**
 * Where more batch stops helping a memory-bound step: the KV caches weigh as much as the weights at
 * `params bytes / KV` sequences, where throughput is half its limit `W/KV`. Book ch. 7, I14.
 */
export function throughputSaturation(inputs: { paramBytes: number; kvBytesPerSequence: number } & DecodeSlice): {
  saturationBatch: number
  /** Smallest whole number of caches that outweigh the weights. */
  cachesToExceedParams: number
  limitTokensPerSecond: number
} {
  const { paramBytes, kvBytesPerSequence, chips, hbmBytesPerSecond } = inputs
  requirePositive('throughputSaturation', { paramBytes, kvBytesPerSequence, chips, hbmBytesPerSecond })
  const saturationBatch = paramBytes / kvBytesPerSequence
  return {
    saturationBatch,
    cachesToExceedParams: Math.floor(saturationBatch) + 1,
    limitTokensPerSecond: (chips * hbmBytesPerSecond) / kvBytesPerSequence,
  }
}

/** The batch of that rule from the sizes of a layer, in one dtype: 2DF/(SHK), which is about F/S. Book ch. 7, I14. */
export function saturationBatchRule(inputs: {
  dModel: number
  dFf: number
  contextTokens: number
  kvHeads: number
  headDim: number
}): number {
  const { dModel, dFf, contextTokens, kvHeads, headDim } = inputs
  requirePositive('saturationBatchRule', { dModel, dFf, contextTokens, kvHeads, headDim })
  return (2 * dModel * dFf) / (contextTokens * kvHeads * headDim)
}
