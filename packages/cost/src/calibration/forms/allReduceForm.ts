import type { Form } from '../fitting/fitForm.ts'
import type { KernelRow } from '../kernelRow.ts'
import { allReduceBytes, type CollectiveParameters, collectiveSeconds } from '../kernels/allReduce.ts'

/** Columns bytes (payload of a rank) and world_size; one fit for one number of ranks. */
export const allReduceForm = (ranks: number): Form<CollectiveParameters, KernelRow> => ({
  fixed: { ranks },
  ranges: {
    fixedSeconds: { start: 6e-6, least: 5e-7, most: 3e-4 },
    bytesPerSecond: { start: 3e11, least: 1e9, most: 3e12 },
    secondsPerRootByte: { start: 1e-9, least: 1e-14, most: 1e-6 },
  },
  seconds: (parameters, { sizes }) => collectiveSeconds(parameters, allReduceBytes(sizes['bytes']!, ranks)),
})
