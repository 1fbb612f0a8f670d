import { requirePositive } from '../costInputError.ts'
import { mathSeconds, moveSeconds, type TimeBounds, timeBounds } from '../rooflines/time.ts'

export interface GatherOrReduceInput {
  readonly batchTokens: number
  readonly inputDim: number
  readonly outputDim: number
  /** X, devices along the axis that shards the contraction of the weights. */
  readonly devices: number
  /** Peak of one device, FLOP/s. */
  readonly peakFlopsPerSecond: number
  /** The book's W_ici: both directions of the axis, bytes/s. */
  readonly axisBytesPerSecond: number
}

export interface GatherOrReduce {
  /** Strategy 1: gather the weights, multiply everything everywhere. */
  readonly gather: TimeBounds
  /** Strategy 2: multiply parts, AllReduce the result. */
  readonly reduce: TimeBounds
  /** With overlap. */
  readonly faster: 'gather' | 'reduce'
  /** `alpha = C/W_ici`: strategy 1 is bound by communication below this batch. */
  readonly gatherBatchThreshold: number
  /** Strategy 2 is compute-bound below `D/(2 alpha)` devices. */
  readonly reduceDeviceLimit: number
}

/**
 * Two ways for `X[B, D] * Y[D_X, F]` in bf16. Book ch. 3, C13: gather the weights, `max(2BDF/C, 2DF/W)`; or multiply
 * parts and AllReduce, `max(2BDF/(XC), 4BF/W)`. Below alpha tokens the second wins iff `D > 2B`, above iff `D > 2 alpha`.
 */
export function gatherOrReduce(of: GatherOrReduceInput): GatherOrReduce {
  const { batchTokens: b, inputDim: d, outputDim: f, devices, peakFlopsPerSecond, axisBytesPerSecond } = of
  requirePositive('gatherOrReduce', { ...of })
  const flops = 2 * b * d * f
  const gather = timeBounds(mathSeconds(flops, peakFlopsPerSecond), moveSeconds(2 * d * f, axisBytesPerSecond))
  const reduce = timeBounds(
    mathSeconds(flops, devices * peakFlopsPerSecond),
    moveSeconds(4 * b * f, axisBytesPerSecond),
  )
  const alpha = peakFlopsPerSecond / axisBytesPerSecond
  const faster = gather.lowerSeconds < reduce.lowerSeconds ? 'gather' : 'reduce'
  return { gather, reduce, faster, gatherBatchThreshold: alpha, reduceDeviceLimit: d / (2 * alpha) }
}

/**
 * For `A[N, M_X] * B[M, K] -> C[N, K_X]`: bytes of gathering A first over bytes of multiplying and then scattering the
 * sum, `M : K`, whatever N. Book ch. 3, C14.
 * @param contracted M
 * @param outputs K
 */
export function gatherToScatterRatio(contracted: number, outputs: number): number {
  requirePositive('gatherToScatterRatio', { contracted, outputs })
  return contracted / outputs
}
