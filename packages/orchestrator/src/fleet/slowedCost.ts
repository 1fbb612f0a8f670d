import type { DecodePiece, StepBatch, StepBreakdown, StepCost } from '@windtunnel/cost/step/stepCost'

/** The step cost of a replica while it is slow: `factor` times what it is otherwise. */
export class SlowedCost implements StepCost {
  readonly factor: number
  private readonly cost: StepCost

  constructor(cost: StepCost, factor: number) {
    this.cost = cost
    this.factor = factor
  }

  get backend(): string {
    return this.cost.backend
  }

  get extrapolations(): readonly string[] {
    return this.cost.extrapolations
  }

  seconds(batch: StepBatch): number {
    return this.cost.seconds(batch) * this.factor
  }

  decodePiece(sequences: number, contextTokens: number, into: DecodePiece): DecodePiece {
    const piece = this.cost.decodePiece(sequences, contextTokens, into)
    into.baseSeconds = piece.baseSeconds * this.factor
    into.slopeSeconds = piece.slopeSeconds * this.factor
    into.windowSlopeSeconds = piece.windowSlopeSeconds * this.factor
    into.validUntilContextTokens = piece.validUntilContextTokens
    return into
  }

  breakdown(batch: StepBatch): StepBreakdown {
    const parts = this.cost.breakdown(batch)
    const scaled = Object.entries(parts).map(([part, seconds]) => [part, seconds * this.factor])
    return Object.fromEntries(scaled) as StepBreakdown
  }
}
