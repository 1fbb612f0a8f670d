import type { StepCost } from '@windtunnel/cost'
import type { DecodePiece } from '@windtunnel/cost/step/stepCost'
import { TICKS_PER_SECOND } from '@windtunnel/des'
import type { StepRun } from './stepRun.ts'

/**
 * Sets the ticks of a pure decode step of `run.sequences` rows at `run.contextTokens`, and how they grow when each further
 * step adds `tokensPerStep` tokens of context. Returns for how many steps the piece of the cost holds (Infinity: for all).
 */
export function setDecodeTicks(run: StepRun, cost: StepCost, tokensPerStep: number, piece: DecodePiece): number {
  cost.decodePiece(run.sequences, run.contextTokens, piece)
  const slope = Math.round((piece.slopeSeconds + piece.windowSlopeSeconds) * TICKS_PER_SECOND)
  run.firstTicks = Math.max(1, Math.round(piece.baseSeconds * TICKS_PER_SECOND) + slope * run.contextTokens)
  run.growthTicks = slope * tokensPerStep
  if (tokensPerStep === 0) return Number.POSITIVE_INFINITY
  return Math.max(1, Math.floor((piece.validUntilContextTokens - run.contextTokens) / tokensPerStep) + 1)
}

export const emptyPiece = (): DecodePiece => ({
  baseSeconds: 0,
  slopeSeconds: 0,
  windowSlopeSeconds: 0,
  validUntilContextTokens: 0,
})
