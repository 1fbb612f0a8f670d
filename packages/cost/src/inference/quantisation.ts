import { requirePositive } from '../costInputError.ts'
import { criticalBatch } from '../rooflines/criticalBatch.ts'

/** A choice of dtypes: what weights are stored in, and what the matmuls compute in. */
export interface Quantisation {
  name: string
  weightBytes: number
  /** Peak of one chip for the compute dtype, FLOP/s or OP/s. */
  peakFlopsPerSecond: number
}

/**
 * The critical batch of decode under each choice of dtypes, in tokens per replica: `(b_w/2) C/W`, C of the compute dtype.
 * The latest edition also prints (bits per weight / bits per activation) C/W, which is wrong for int8 on int8. Book ch. 7, I4.
 */
export function criticalBatches(inputs: {
  hbmBytesPerSecond: number
  quantisations: readonly Quantisation[]
}): readonly { name: string; criticalBatchTokens: number }[] {
  requirePositive('criticalBatches', { hbmBytesPerSecond: inputs.hbmBytesPerSecond })
  return inputs.quantisations.map(({ name, weightBytes, peakFlopsPerSecond }) => ({
    name,
    criticalBatchTokens: criticalBatch(peakFlopsPerSecond, inputs.hbmBytesPerSecond, weightBytes),
  }))
}
