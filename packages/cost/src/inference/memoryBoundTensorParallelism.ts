import { requirePositive } from '../costInputError.ts'
import { moveSeconds } from '../rooflines/time.ts'

/** Memory over link bandwidth, beta = W_hbm/W_ici: 9.1 on v5e, 8.9 on v6e, "about 8" in the book. Book ch. 7, I7. */
export function memoryToLinkRatio(inputs: { hbmBytesPerSecond: number; linkBytesPerSecond: number }): number {
  const { hbmBytesPerSecond, linkBytesPerSecond } = inputs
  requirePositive('memoryToLinkRatio', { hbmBytesPerSecond, linkBytesPerSecond })
  return hbmBytesPerSecond / linkBytesPerSecond
}

/** Bytes per element where weights and activations differ. Both are 2 (bf16) unless given. */
export interface DecodeElementBytes {
  weightBytes?: number
  activationBytes?: number
}

/**
 * Ways of tensor parallelism above which a memory-bound decode waits for the links: Y = F M/(B beta) in bf16; more bytes
 * per weight raise it, more per activation lower it. Far beyond the limit of prefill and training. Book ch. 7, I7.
 */
export function memoryBoundTensorParallelism(
  inputs: DecodeElementBytes & {
    dFf: number
    batchTokens: number
    memoryToLinkRatio: number
    /** Hardware axes the collectives span. */
    axes?: number
  },
): number {
  const { dFf, batchTokens, memoryToLinkRatio: beta, axes = 1, weightBytes = 2, activationBytes = 2 } = inputs
  requirePositive('memoryBoundTensorParallelism', { dFf, batchTokens, memoryToLinkRatio: beta, axes })
  requirePositive('memoryBoundTensorParallelism', { weightBytes, activationBytes })
  return (axes * dFf * weightBytes) / (batchTokens * beta * activationBytes)
}

/**
 * One decode matmul [B,D] x [D,F] split Y ways over F: links 2BD/(M W_ici), weights 2DF/(Y W_hbm), arithmetic
 * 2BDF/(YC), in bf16. The longest bounds it. Book ch. 7, I7; ch. 8, S6.
 */
export function decodeMatmul(
  inputs: DecodeElementBytes & {
    batchTokens: number
    dModel: number
    dFf: number
    shards: number
    axes?: number
    linkBytesPerSecond: number
    hbmBytesPerSecond: number
    peakFlopsPerSecond: number
  },
): { linkSeconds: number; memorySeconds: number; mathSeconds: number; seconds: number; bound: DecodeBound } {
  const { batchTokens, dModel, dFf, shards, axes = 1, weightBytes = 2, activationBytes = 2 } = inputs
  const { linkBytesPerSecond, hbmBytesPerSecond, peakFlopsPerSecond } = inputs
  requirePositive('decodeMatmul', { batchTokens, dModel, dFf, shards, axes, weightBytes, activationBytes })
  requirePositive('decodeMatmul', { linkBytesPerSecond, hbmBytesPerSecond, peakFlopsPerSecond })
  const link = moveSeconds(activationBytes * batchTokens * dModel, axes * linkBytesPerSecond)
  const memory = moveSeconds(weightBytes * dModel * dFf, shards * hbmBytesPerSecond)
  const math = (2 * batchTokens * dModel * dFf) / (shards * peakFlopsPerSecond)
  const seconds = Math.max(link, memory, math)
  const bound = seconds === math ? 'compute' : seconds === memory ? 'memory' : 'communication'
  return { linkSeconds: link, memorySeconds: memory, mathSeconds: math, seconds, bound }
}

export type DecodeBound = 'compute' | 'memory' | 'communication'
