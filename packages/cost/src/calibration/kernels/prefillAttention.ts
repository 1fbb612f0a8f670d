import { pow } from '@windtunnel/des'
import { type Peaks, peakFor } from './peaks.ts'

/** Fitted figures of attention of prompt chunks, by KV format. Efficiencies are those at a head size of 128. */
export interface PrefillAttentionParameters {
  /** Share of the bf16 peak, whatever the KV format. */
  computeEfficiency: number
  memoryEfficiency: number
  fixedSeconds: number
  /** Chunks of this many new tokens reach half of the efficiency; fewer than 64 count as 64. */
  halfEfficiencyTokens: number
  /** Both efficiencies grow with (head size / 128) to this power: small heads fill tensor cores badly. */
  headSizeExponent: number
}

export const SHORTEST_TILE_TOKENS = 64

/** What efficiency loses or gains at a head size. */
export const headSizeFactor = (p: PrefillAttentionParameters, headSize: number): number =>
  headSize === 128 ? 1 : pow(headSize / 128, p.headSizeExponent)

/** FLOPs of a chunk, raised for chunks too short to fill their tiles: F (1 + s0 / max(q, 64)). */
export const tiledFlops = (p: PrefillAttentionParameters, flops: number, newTokens: number): number =>
  flops * (1 + p.halfEfficiencyTokens / Math.max(newTokens, SHORTEST_TILE_TOKENS))

/** t0 + (F' / eta_c + V / eta_m) / head size factor, with F' from tiledFlops over all chunks of the launch. Seconds. */
export function prefillAttentionSeconds(
  p: PrefillAttentionParameters,
  peaks: Peaks,
  work: { tiledFlops: number; bytes: number; headSize: number },
): number {
  const compute = work.tiledFlops / peakFor(peaks, 'bf16') / p.computeEfficiency
  const memory = work.bytes / peaks.hbmBytesPerSecond / p.memoryEfficiency
  return p.fixedSeconds + (compute + memory) / headSizeFactor(p, work.headSize)
}
