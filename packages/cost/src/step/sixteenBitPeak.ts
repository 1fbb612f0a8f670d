import type { Accelerator } from '@windtunnel/hardware'
import { arithmeticNotes, sixteenBitFlopsPerSecond, stepDtypesOf } from './dtypes.ts'

/**
 * The accelerator with a 16-bit peak, which every step needs (attention and the output head run in 16 bits): its own, else
 * half of its fp8 peak, and then a sentence that says so.
 */
export function withSixteenBitPeak(accelerator: Accelerator): { accelerator: Accelerator; extrapolations: string[] } {
  const { bf16, fp16 } = accelerator.flopsPerSecond
  const peak = sixteenBitFlopsPerSecond(accelerator)
  if (bf16 !== undefined || fp16 !== undefined || peak === undefined) return { accelerator, extrapolations: [] }
  return {
    accelerator: { ...accelerator, flopsPerSecond: { ...accelerator.flopsPerSecond, bf16: peak } },
    extrapolations: arithmeticNotes(accelerator, stepDtypesOf()),
  }
}
