import { requirePositive } from '../costInputError.ts'
import { type DecodeStep, decodeStep } from '../inference/decodeStep.ts'

/** The model, slice and dtypes of a front; what varies is batch and context. */
export interface FrontSystem {
  activatedParams: number
  paramBytes: number
  kvBytesPerToken: number
  chips: number
  hbmBytesPerSecond: number
  peakFlopsPerSecond: number
}

export interface FrontPoint extends DecodeStep {
  batch: number
  contextTokens: number
  /** Output tokens per millisecond and chip, as the book plots. */
  tokensPerMillisecondPerChip: number
}

/**
 * One point of latency against throughput: latency `max(2 params B/(N C), params/(N W)) + B S kv/(N W)`, throughput
 * B/(latency N). Book ch. 8, S10.
 */
export function servingPoint(system: FrontSystem & { batch: number; contextTokens: number }): FrontPoint {
  const { batch, contextTokens, kvBytesPerToken } = system
  requirePositive('servingPoint', { batch, contextTokens, kvBytesPerToken })
  const step = decodeStep({ ...system, kvBytesPerSequence: kvBytesPerToken * contextTokens })
  return { batch, contextTokens, ...step, tokensPerMillisecondPerChip: step.tokensPerSecondPerChip / 1000 }
}

/** The points of many batches at one context, in the order given. Book ch. 8, S10. */
export const servingPoints = (
  system: FrontSystem & { contextTokens: number; batches: readonly number[] },
): readonly FrontPoint[] => system.batches.map((batch) => servingPoint({ ...system, batch }))

/** The points that no other beats in both latency and throughput per chip, fastest step first. */
export function latencyThroughputFront<Point extends { seconds: number; tokensPerSecondPerChip: number }>(
  points: readonly Point[],
): readonly Point[] {
  const byLatency = [...points].sort(
    (a, b) => a.seconds - b.seconds || b.tokensPerSecondPerChip - a.tokensPerSecondPerChip,
  )
  const front: Point[] = []
  for (const point of byLatency) {
    const last = front.at(-1)
    if (last === undefined || point.tokensPerSecondPerChip > last.tokensPerSecondPerChip) front.push(point)
  }
  return front
}

/**
 * Context at which a sequence's KV takes as long to read as its arithmetic takes: (2 params/C)/(kv/W) tokens, whatever
 * the batch and the chips. Book ch. 8, S10.
 */
export function kvEqualsMathTokens(inputs: {
  activatedParams: number
  kvBytesPerToken: number
  hbmBytesPerSecond: number
  peakFlopsPerSecond: number
}): number {
  const { activatedParams, kvBytesPerToken, hbmBytesPerSecond, peakFlopsPerSecond } = inputs
  requirePositive('kvEqualsMathTokens', { activatedParams, kvBytesPerToken, hbmBytesPerSecond, peakFlopsPerSecond })
  return ((2 * activatedParams) / peakFlopsPerSecond) * (hbmBytesPerSecond / kvBytesPerToken)
}
