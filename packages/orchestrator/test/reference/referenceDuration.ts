import type { StepCost } from '@windtunnel/cost'
import { emptyBatch } from '@windtunnel/cost/step/stepCost'

/** One request's share of a step. */
export interface StepMember {
  tokens: number
  context: number
  /** Samples a token at the end of the step. */
  samples: boolean
  chunk: boolean
}

const TICK = 2 ** 44

/** Ticks of a step, its batch described one member at a time. */
export function stepDuration(
  cost: StepCost,
  windowTokens = Number.POSITIVE_INFINITY,
  members: readonly StepMember[],
): bigint {
  const batch = emptyBatch()
  for (const { tokens, context, samples, chunk } of members) {
    if (chunk) {
      batch.chunkTokens.push(tokens)
      batch.chunkContext.push(context)
      batch.chunkCount += 1
      if (samples) batch.chunkSamples += 1
    } else {
      batch.decodeSequences += 1
      batch.decodeContextTokens += context + 1
      batch.decodeWindowTokens += Math.min(context + 1, windowTokens)
    }
  }
  if (batch.chunkCount > 0) return BigInt(Math.max(1, Math.round(cost.seconds(batch) * TICK)))
  const piece = { baseSeconds: 0, slopeSeconds: 0, windowSlopeSeconds: 0, validUntilContextTokens: 0 }
  cost.decodePiece(batch.decodeSequences, batch.decodeContextTokens, piece)
  const whole = (value: number): bigint => BigInt(Math.round(value * TICK))
  const ticks =
    whole(piece.baseSeconds) +
    whole(piece.slopeSeconds) * BigInt(batch.decodeContextTokens) +
    whole(piece.windowSlopeSeconds) * BigInt(batch.decodeWindowTokens)
  return ticks > 1n ? ticks : 1n
}

/** Ticks of a decode step of rows that attend to so many entries each. */
export const decodeTicks = (cost: StepCost, contexts: readonly number[], windowTokens?: number): bigint =>
  stepDuration(
    cost,
    windowTokens,
    contexts.map((entries) => ({ tokens: 1, context: entries - 1, samples: true, chunk: false })),
  )

/** `seconds` as ticks, at least one. */
export const stepTicks = (seconds: number): bigint => BigInt(Math.max(1, Math.round(seconds * TICK)))
