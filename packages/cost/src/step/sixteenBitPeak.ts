import type { Accelerator } from '@windtunnel/hardware'

/**
 * The accelerator with a 16-bit peak, which every step needs (attention and the output head run in 16 bits): its own, else
 * half of its fp8 peak, and then a sentence that says so.
 */
export function withSixteenBitPeak(accelerator: Accelerator): { accelerator: Accelerator; extrapolations: string[] } {
  const { bf16, fp16, fp8 } = accelerator.flopsPerSecond
  if (bf16 !== undefined || fp16 !== undefined || fp8 === undefined) return { accelerator, extrapolations: [] }
  return {
    accelerator: { ...accelerator, flopsPerSecond: { ...accelerator.flopsPerSecond, bf16: fp8 / 2 } },
    extrapolations: [`no published 16-bit peak for ${accelerator.name}: half of its fp8 peak`],
  }
}
