import type { EngineOverheads } from '@windtunnel/cost/step/engineOverheads/index'
import type { StepBatch, StepCost } from '@windtunnel/cost/step/stepCost'

/**
 * The steps of a server that has just started: the first one that computes so many prompt tokens also compiles its kernels.
 * Remembers that it did: one for each simulation. Measured runs only; a scenario asks what a warm server does.
 */
export function coldCost(cost: StepCost, firstUse: EngineOverheads['firstUse']): StepCost {
  if (firstUse === undefined) return cost
  let isCold = true
  return {
    backend: cost.backend,
    extrapolations: cost.extrapolations,
    seconds(batch) {
      const warm = cost.seconds(batch)
      if (!isCold || promptTokensOf(batch) < firstUse.promptTokens) return warm
      isCold = false
      return warm + firstUse.seconds
    },
    decodePiece: (sequences, contextTokens, into) => cost.decodePiece(sequences, contextTokens, into),
    breakdown: (batch) => cost.breakdown(batch),
  }
}

function promptTokensOf(batch: StepBatch): number {
  let tokens = 0
  for (let i = 0; i < batch.chunkCount; i++) tokens += batch.chunkTokens[i]!
  return tokens
}
