import { requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'

/**
 * AllReduce with reduction in the switches (SHARP): each GPU moves V in and V out, `V/W_gpu`; `V/(Y W)` for an array
 * sharded over Y. Book ch. 12, G11. Seconds. The measured gain is about 30 % where 75 % are predicted at 8 GPUs.
 */
export function sharpAllReduceSeconds(bytes: number, gpuBytesPerSecond: number, otherShards = 1): number {
  requireNonNegative('sharpAllReduceSeconds', { bytes })
  requirePositive('sharpAllReduceSeconds', { gpuBytesPerSecond, otherShards })
  return bytes / otherShards / gpuBytesPerSecond
}

/** The gain in bandwidth that theory gives SHARP over a plain AllReduce: `2(N-1)/N - 1`. Book ch. 12, G11. */
export function sharpPredictedGain(devices: number): number {
  requireCount('sharpPredictedGain', { devices })
  return (2 * (devices - 1)) / devices - 1
}

/** Bytes that pass the switches of a collective. */
export interface SwitchBytes {
  readonly nodeIn: number
  readonly nodeOut: number
  readonly topIn: number
  readonly topOut: number
}

/**
 * Bytes through the switches of an AllGather over M nodes of N GPUs: a node's switch takes V in and sends `N V` out, the
 * top takes V and sends `V(M-1)`. Book ch. 12, G16.
 */
export function gatherSwitchBytes(bytes: number, nodes: number, gpusPerNode: number): SwitchBytes {
  requireNonNegative('gatherSwitchBytes', { bytes })
  requireCount('gatherSwitchBytes', { nodes, gpusPerNode })
  return { nodeIn: bytes, nodeOut: gpusPerNode * bytes, topIn: bytes, topOut: bytes * (nodes - 1) }
}

/** Bytes through a node's switch of a SHARP AllReduce: `N V` in, `N V` out. Book ch. 12, G16. */
export function sharpSwitchBytes(
  bytes: number,
  gpusPerNode: number,
): { readonly nodeIn: number; readonly nodeOut: number } {
  requireNonNegative('sharpSwitchBytes', { bytes })
  requireCount('sharpSwitchBytes', { gpusPerNode })
  return { nodeIn: gpusPerNode * bytes, nodeOut: gpusPerNode * bytes }
}
