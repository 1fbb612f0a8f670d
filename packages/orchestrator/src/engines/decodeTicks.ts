import type { StepCost } from '@windtunnel/cost'
import type { DecodePiece } from '@windtunnel/cost/step/stepCost'
import { TICKS_PER_SECOND } from '@windtunnel/des'
import type { StepRun } from './stepRun.ts'

/** How the sums of a decode step's context change from one step to the next. */
export interface ContextGrowth {
  /** Tokens that each further step adds to the context sum. */
  tokensPerStep: number
  /** The context sum with every row cut at the attention window; the context sum itself without one. */
  windowTokens: number
  windowTokensPerStep: number
  /** Steps, the first one included, between which the windowed sum grows by so many tokens; Infinity for all. */
  evenSteps: number
}

/**
 * Sets the ticks of a pure decode step of `run.sequences` rows at `run.contextTokens`, and how they grow with each further
 * step. Returns for how many steps they do so (Infinity: for all).
 */
export const setDecodeTicks = (run: StepRun, cost: StepCost, growth: ContextGrowth, piece: DecodePiece): number => {
  cost.decodePiece(run.sequences, run.contextTokens, piece)
  const base = Math.round(piece.baseSeconds * TICKS_PER_SECOND)
  const slope = Math.round(piece.slopeSeconds * TICKS_PER_SECOND)
  const windowSlope = Math.round(piece.windowSlopeSeconds * TICKS_PER_SECOND)
  const { tokensPerStep } = growth
  run.firstTicks = Math.max(1, base + slope * run.contextTokens + windowSlope * growth.windowTokens)
  run.growthTicks = slope * tokensPerStep + windowSlope * growth.windowTokensPerStep
  if (tokensPerStep === 0) return Number.POSITIVE_INFINITY
  const valid = Math.floor((piece.validUntilContextTokens - run.contextTokens) / tokensPerStep) + 1
  return Math.max(1, Math.min(valid, growth.evenSteps))
}

export const emptyPiece = (): DecodePiece => ({
  baseSeconds: 0,
  slopeSeconds: 0,
  windowSlopeSeconds: 0,
  validUntilContextTokens: 0,
})
