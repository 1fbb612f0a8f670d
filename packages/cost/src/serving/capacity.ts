import { CostInputError, requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'

/** What serving keeps in memory, and where. */
export interface ServingMemory {
  chips: number
  hbmBytesPerChip: number
  paramBytes: number
}

/** Bytes that the weights leave free, over the slice and per chip; negative where they do not fit. Book ch. 8, S2. */
export function freeBytes(inputs: ServingMemory): { freeBytes: number; freeBytesPerChip: number } {
  const { chips, hbmBytesPerChip, paramBytes } = inputs
  requirePositive('freeBytes', { chips, hbmBytesPerChip, paramBytes })
  const free = chips * hbmBytesPerChip - paramBytes
  return { freeBytes: free, freeBytesPerChip: free / chips }
}

/**
 * The most sequences whose KV caches fit beside the weights: floor((chips HBM - params)/(KV per token x context)); 0 where
 * the weights leave no room. Book ch. 8, S2.
 */
export function largestBatch(inputs: ServingMemory & { kvBytesPerSequence: number }): number {
  requirePositive('largestBatch', { kvBytesPerSequence: inputs.kvBytesPerSequence })
  return Math.max(0, Math.floor(freeBytes(inputs).freeBytes / inputs.kvBytesPerSequence))
}

/** The largest of some batch sizes that fits; undefined where none does. Book ch. 7 and 8, S2. */
export function largestListedBatch(
  inputs: ServingMemory & { kvBytesPerSequence: number; batches: readonly number[] },
): number | undefined {
  const limit = largestBatch(inputs)
  const fitting = inputs.batches.filter((batch) => batch <= limit)
  return fitting.length === 0 ? undefined : Math.max(...fitting)
}

/** Bytes of weights and of the KV caches of a batch. Book ch. 8, S2. */
export function servingBytes(inputs: { paramBytes: number; kvBytesPerSequence: number; batch: number }): {
  kvBytes: number
  totalBytes: number
} {
  const { paramBytes, kvBytesPerSequence, batch } = inputs
  requirePositive('servingBytes', { paramBytes })
  requireNonNegative('servingBytes', { kvBytesPerSequence, batch })
  const kvBytes = kvBytesPerSequence * batch
  return { kvBytes, totalBytes: kvBytes + paramBytes }
}

/** A slice that holds some bytes. */
export interface SliceChoice {
  /** Bytes over HBM, not rounded. */
  exactChips: number
  minChips: number
  /** Chips of the slice. */
  sliceChips: number
  /** The slice as listed (`4x4`); undefined where powers of two were used. */
  slice: string | undefined
}

/**
 * The smallest slice that holds `bytes`: ceil(bytes/HBM), rounded up to the next listed slice, or without a list to the
 * next power of two. Slices are written as their sides, `2x4` or `4x4x4`. Book ch. 8, S3.
 * @throws CostInputError where no listed slice is large enough, or a slice is not written so.
 */
export function smallestSlice(inputs: {
  bytes: number
  hbmBytesPerChip: number
  slices?: readonly string[]
  /** Least chips wanted for another reason, such as latency. */
  atLeastChips?: number
}): SliceChoice {
  const { bytes, hbmBytesPerChip, slices, atLeastChips = 1 } = inputs
  requirePositive('smallestSlice', { bytes, hbmBytesPerChip, atLeastChips })
  const exactChips = bytes / hbmBytesPerChip
  const minChips = Math.ceil(exactChips)
  const wanted = Math.max(minChips, Math.ceil(atLeastChips))
  if (slices === undefined) {
    let sliceChips = 1
    while (sliceChips < wanted) sliceChips *= 2
    return { exactChips, minChips, sliceChips, slice: undefined }
  }
  const sized = slices.map((slice) => ({ slice, sliceChips: chipsOfSlice(slice) }))
  const fitting = sized.filter(({ sliceChips }) => sliceChips >= wanted).sort((a, b) => a.sliceChips - b.sliceChips)
  const found = fitting[0]
  if (found === undefined) {
    throw new CostInputError({
      where: 'smallestSlice',
      quantity: 'slices',
      expected: `to hold one of at least ${wanted} chips`,
      found: slices.join(', '),
    })
  }
  return { exactChips, minChips, ...found }
}

/** Chips of a slice written as its sides, such as `4x8` or `4x4x4`. */
export function chipsOfSlice(slice: string): number {
  const sides = slice.split('x').map(Number)
  for (const side of sides) requireCount('chipsOfSlice', { [slice]: side })
  return sides.reduce((chips, side) => chips * side, 1)
}

/** Chips above which reading the weights alone takes less than a limit: ceil(params/(W limit)). Book ch. 2 H3, ch. 8 S3. */
export function minChipsForWeightLatency(inputs: {
  paramBytes: number
  hbmBytesPerSecond: number
  limitSeconds: number
}): number {
  const { paramBytes, hbmBytesPerSecond, limitSeconds } = inputs
  requirePositive('minChipsForWeightLatency', { paramBytes, hbmBytesPerSecond, limitSeconds })
  return Math.ceil(paramBytes / (hbmBytesPerSecond * limitSeconds))
}
