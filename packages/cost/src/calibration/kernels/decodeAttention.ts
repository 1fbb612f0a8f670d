import type { Peaks } from './peaks.ts'

/** Fitted figures of attention of single new tokens over grouped KV heads, by KV format. */
export interface DecodeAttentionParameters {
  memoryEfficiency: number
  fixedSeconds: number
  /** Added once the bytes of a launch exceed the L2 cache. */
  coldSeconds: number
}

/** t0 + V / eta_m + t_cold [bytes > L2], where bytes are KV read, queries read and outputs written. Seconds. */
export function decodeAttentionSeconds(p: DecodeAttentionParameters, peaks: Peaks, bytes: number): number {
  const cold = bytes > peaks.l2Bytes ? p.coldSeconds : 0
  return p.fixedSeconds + bytes / peaks.hbmBytesPerSecond / p.memoryEfficiency + cold
}
