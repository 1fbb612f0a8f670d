import { requirePositive } from '../costInputError.ts'

/** The shape of a vector unit: `sublanes x lanes` elements, each with `alus` that issue one operation a cycle. */
export interface VectorUnit {
  /** 8 unless given. */
  readonly sublanes?: number
  /** 128 unless given. */
  readonly lanes?: number
  readonly alus: number
  /** Cores with a vector unit each; 1 unless given. */
  readonly cores?: number
}

/** Elements a chip can operate on in one cycle: `8 x 128 x alus x cores` (v5p: 8192). Book ch. 2 (H2), ch. 12 (G1). */
export function vectorAlus(unit: VectorUnit): number {
  const { sublanes = 8, lanes = 128, alus, cores = 1 } = unit
  requirePositive('vectorAlus', { sublanes, lanes, alus, cores })
  return sublanes * lanes * alus * cores
}

/** Vector FLOP/s: `8 x 128 x alus x clock` for each core (v5p: 7.2e12). Book ch. 2, H2. */
export function vectorUnitFlopsPerSecond(unit: VectorUnit & { readonly clockHz: number }): number {
  requirePositive('vectorUnitFlopsPerSecond', { clockHz: unit.clockHz })
  return vectorAlus(unit) * unit.clockHz
}

/**
 * Bytes of vector registers: `n_vregs x 8 x 128 x 4` for a core, and for a chip of `cores`. Book ch. 2, H12 (v5p: 64
 * registers, 256 KiB a core).
 */
export function vectorRegisterBytes(of: {
  readonly registers: number
  readonly sublanes?: number
  readonly lanes?: number
  readonly bytesPerElement?: number
  readonly cores?: number
}): { readonly coreBytes: number; readonly chipBytes: number } {
  const { registers, sublanes = 8, lanes = 128, bytesPerElement = 4, cores = 1 } = of
  requirePositive('vectorRegisterBytes', { registers, sublanes, lanes, bytesPerElement, cores })
  const coreBytes = registers * sublanes * lanes * bytesPerElement
  return { coreBytes, chipBytes: coreBytes * cores }
}
