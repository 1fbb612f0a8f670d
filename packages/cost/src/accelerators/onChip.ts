import { requirePositive } from '../costInputError.ts'
import { criticalIntensity } from '../rooflines/intensity.ts'

/**
 * The intensity a computation needs whose operands already sit in VMEM: the HBM roofline with about 22 times the
 * bandwidth. Book ch. 2, H6 (10 to 20 FLOP/B).
 * @param vmemOverHbm bandwidth of VMEM over that of HBM; the book's 22 unless given
 * @returns FLOP per byte
 */
export function vmemCriticalIntensity(peakFlopsPerSecond: number, hbmBytesPerSecond: number, vmemOverHbm = 22): number {
  requirePositive('vmemCriticalIntensity', { vmemOverHbm })
  return criticalIntensity(peakFlopsPerSecond, hbmBytesPerSecond * vmemOverHbm)
}
