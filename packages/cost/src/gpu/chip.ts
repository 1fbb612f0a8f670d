import { requireCount, requirePositive } from '../costInputError.ts'

/** The parts of a streaming multiprocessor (SM). */
export interface SmShape {
  readonly sms: number
  /** 4 unless given. */
  readonly subpartitions?: number
  /** Lanes of a subpartition for fp32, 32 unless given. */
  readonly lanes?: number
}

/** CUDA cores (fp32 lanes): `SMs x 4 x 32`. Book ch. 12, G1 (H100: 16896). */
export function cudaCores({ sms, subpartitions = 4, lanes = 32 }: SmShape): number {
  requireCount('cudaCores', { sms, subpartitions, lanes })
  return sms * subpartitions * lanes
}

/** Shared memory of the whole chip: `SMs x SMEM`, bytes. Book ch. 12, G1. */
export function sharedMemoryBytes(sms: number, bytesPerSm: number): number {
  requireCount('sharedMemoryBytes', { sms })
  requirePositive('sharedMemoryBytes', { bytesPerSm })
  return sms * bytesPerSm
}

/** Vector FLOP per cycle: one for each core, two with fused multiply-add. Book ch. 12, G2. */
export const vectorFlopsPerCycle = (cores: number, fusedMultiplyAdd = false): number =>
  cores * (fusedMultiplyAdd ? 2 : 1)

/** Vector FLOP/s: `cores x clock`, twice that with fused multiply-add. Book ch. 12, G2. */
export function cudaCoreFlopsPerSecond(cores: number, clockHz: number, fusedMultiplyAdd = false): number {
  requirePositive('cudaCoreFlopsPerSecond', { cores, clockHz })
  return vectorFlopsPerCycle(cores, fusedMultiplyAdd) * clockHz
}

/** The clock that a vector peak implies, Hz: peak over FLOP per cycle. Book ch. 12, G2 (B200: 2.1e9). */
export function clockOfVectorPeak(peakFlopsPerSecond: number, cores: number, fusedMultiplyAdd = true): number {
  requirePositive('clockOfVectorPeak', { peakFlopsPerSecond, cores })
  return peakFlopsPerSecond / vectorFlopsPerCycle(cores, fusedMultiplyAdd)
}

/**
 * FLOP per cycle of one tensor core: `peak / (SMs x 4 x clock)`. Book ch. 12, G3 (256, 512, 1024, 2048 for V100, A100,
 * H100, B200).
 */
export function tensorCoreFlopsPerCycle(of: {
  readonly peakFlopsPerSecond: number
  readonly sms: number
  readonly clockHz: number
  /** 4 unless given. */
  readonly tensorCoresPerSm?: number
}): number {
  const { peakFlopsPerSecond, sms, clockHz, tensorCoresPerSm = 4 } = of
  requirePositive('tensorCoreFlopsPerCycle', { peakFlopsPerSecond, sms, clockHz, tensorCoresPerSm })
  return peakFlopsPerSecond / (sms * tensorCoresPerSm * clockHz)
}

/**
 * Warps that the registers of one SM hold: `register_bytes / (4 x 32 x registers per thread)`, at most 64. Book ch. 12,
 * G4 (8 at 256 registers per thread).
 */
export function residentWarps(of: {
  readonly registersPerThread: number
  /** 65536 unless given: 16384 in each of 4 subpartitions. */
  readonly registersPerSm?: number
  readonly bytesPerRegister?: number
  readonly threadsPerWarp?: number
  readonly mostWarps?: number
}): { readonly registerBytes: number; readonly warps: number } {
  const { registersPerThread, registersPerSm = 65536, bytesPerRegister = 4, threadsPerWarp = 32, mostWarps = 64 } = of
  requireCount('residentWarps', { registersPerThread, registersPerSm, bytesPerRegister, threadsPerWarp, mostWarps })
  const registerBytes = registersPerSm * bytesPerRegister
  const warpBytes = bytesPerRegister * threadsPerWarp * registersPerThread
  return { registerBytes, warps: Math.min(mostWarps, Math.floor(registerBytes / warpBytes)) }
}
