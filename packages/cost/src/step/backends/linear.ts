import { CostInputError, requireNonNegative, requirePositive } from '../../costInputError.ts'
import type { LinearCoefficients } from '../linearCoefficients.ts'
import type { DecodePiece, StepBatch, StepBreakdown, StepCost } from '../stepCost.ts'
import type { StepCostInput } from '../stepCostInput.ts'

class LinearStepCost implements StepCost {
  readonly backend = 'linear'
  readonly extrapolations: readonly string[] = []
  private readonly perStep: number
  private readonly perPrefillToken: number
  private readonly perSequence: number
  private readonly perContextToken: number

  constructor(coefficients: LinearCoefficients) {
    this.perStep = coefficients.secondsPerStep
    this.perPrefillToken = coefficients.secondsPerPrefillToken
    this.perSequence = coefficients.secondsPerDecodeSequence
    this.perContextToken = coefficients.secondsPerContextToken ?? 0
  }

  seconds(batch: StepBatch): number {
    if (batch.chunkCount === 0 && batch.decodeSequences === 0) return 0
    const base = this.perStep + this.perSequence * batch.decodeSequences
    return base + this.perContextToken * batch.decodeContextTokens + this.perPrefillToken * prefillTokens(batch)
  }

  decodePiece(sequences: number, _contextTokens: number, into: DecodePiece): DecodePiece {
    into.baseSeconds = this.perStep + this.perSequence * sequences
    into.slopeSeconds = this.perContextToken
    into.windowSlopeSeconds = 0
    into.validUntilContextTokens = Infinity
    return into
  }

  /** Sequences and prompt tokens count as compute, context as KV, and the constant as host. */
  breakdown(batch: StepBatch): StepBreakdown {
    const busy = batch.chunkCount > 0 || batch.decodeSequences > 0
    return {
      weights: 0,
      kv: this.perContextToken * batch.decodeContextTokens,
      compute: this.perSequence * batch.decodeSequences + this.perPrefillToken * prefillTokens(batch),
      collectives: 0,
      host: busy ? this.perStep : 0,
    }
  }
}

function prefillTokens(batch: StepBatch): number {
  let tokens = 0
  for (let i = 0; i < batch.chunkCount; i++) tokens += batch.chunkTokens[i]!
  return tokens
}

/** The user's own straight line. Throws CostInputError without coefficients or with a negative one. */
export function linear(input: Pick<StepCostInput, 'coefficients'>): StepCost {
  const coefficients = input.coefficients
  if (coefficients === undefined) {
    throw new CostInputError({
      where: 'step cost backend linear',
      quantity: 'coefficients',
      expected: '{ secondsPerStep, secondsPerPrefillToken, secondsPerDecodeSequence }',
      found: undefined,
    })
  }
  requirePositive('step cost backend linear', { secondsPerStep: coefficients.secondsPerStep })
  requireNonNegative('step cost backend linear', {
    secondsPerPrefillToken: coefficients.secondsPerPrefillToken,
    secondsPerDecodeSequence: coefficients.secondsPerDecodeSequence,
    secondsPerContextToken: coefficients.secondsPerContextToken ?? 0,
  })
  return new LinearStepCost(coefficients)
}
