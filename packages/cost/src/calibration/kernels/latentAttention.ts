import { powerSum } from '../powerSum.ts'
import { type Peaks, peakFor } from './peaks.ts'

/** Fitted figures of multi-head latent attention, decode or prefill, by KV format. */
export interface LatentAttentionParameters {
  /** Share of the bf16 peak, whatever the KV format. */
  computeEfficiency: number
  memoryEfficiency: number
  fixedSeconds: number
  norm: number
}

/** Work of one launch. Bytes of KV, and apart from them those of queries read and outputs written. */
export interface LatentAttentionWork {
  flops: number
  keyValueBytes: number
  queryBytes: number
}

/**
 * t0 + ((F/eta_c)^p + (V/eta_m)^p)^(1/p) + Q/eta_m. In decode F and V both grow in proportion to the context sum, so the
 * sum of powers does too and the step stays affine in context. Seconds.
 */
export function latentAttentionSeconds(p: LatentAttentionParameters, peaks: Peaks, work: LatentAttentionWork): number {
  const bandwidth = peaks.hbmBytesPerSecond * p.memoryEfficiency
  const compute = work.flops / peakFor(peaks, 'bf16') / p.computeEfficiency
  return p.fixedSeconds + powerSum(p.norm, compute, work.keyValueBytes / bandwidth) + work.queryBytes / bandwidth
}
