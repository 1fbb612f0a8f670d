import { oneWayRingSeconds } from '../collectives/ring.ts'
import type { CollectiveLink } from './collectiveLink.ts'

/**
 * Ring all-reduce of `bytes` held by each of `ranks`: every rank sends 2 (n - 1) / n of them, as twice the gather of C4
 * (How To Scale Your Model, chapter 3 for ICI, chapter 12 for NVLink). Seconds, at full bandwidth, latency left out.
 */
export const ringAllReduceSeconds = (link: CollectiveLink, bytes: number, ranks: number): number =>
  ranks === 1 ? 0 : 2 * oneWayRingSeconds(bytes, ranks, link.bytesPerSecond)

/** All-to-all (and all-gather): a rank sends (n - 1) / n of the `bytes` it holds. Seconds. */
export const allToAllSeconds = (link: CollectiveLink, bytes: number, ranks: number): number =>
  ranks === 1 ? 0 : oneWayRingSeconds(bytes, ranks, link.bytesPerSecond)
