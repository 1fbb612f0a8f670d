import { TICKS_PER_SECOND } from '@windtunnel/des'
import type { DecodePiece, StepBatch, StepBreakdown, StepCost } from '../step/stepCost.ts'
import { emptyBatch } from '../step/stepCost.ts'

/** Steps over which a piece holds. */
const STRETCH_STEPS = 256

/**
 * Sessions whose context is in the cache before they start: a prompt of s + 1 tokens is s that are there and one whose turn
 * it is, and costs the decode step of that one. An engine that cuts a prompt into pieces pays such a step for every piece.
 */
class ResidentContext implements StepCost {
  readonly backend: string
  readonly extrapolations: readonly string[]
  private readonly inner: StepCost
  private readonly windowTokens: number
  private readonly scratch = emptyBatch()

  constructor(inner: StepCost, windowTokens: number | undefined) {
    this.backend = inner.backend
    this.extrapolations = inner.extrapolations
    this.inner = inner
    this.windowTokens = windowTokens ?? Number.POSITIVE_INFINITY
  }

  seconds(batch: StepBatch): number {
    return this.inner.seconds(this.decoded(batch))
  }

  /**
   * An engine's clock takes a slope as whole ticks, and what it rounds counts for every token of a context: nanoseconds a step
   * at 131,072. Here the slope is whole, and right in the middle of a stretch of contexts: off by 4 ps a sequence at most.
   */
  decodePiece(sequences: number, contextTokens: number, into: DecodePiece): DecodePiece {
    this.inner.decodePiece(sequences, contextTokens, into)
    const exact = into.slopeSeconds
    const whole = Math.round(exact * TICKS_PER_SECOND) / TICKS_PER_SECOND
    const stretch = STRETCH_STEPS * Math.max(1, sequences)
    const until = Math.ceil(contextTokens / stretch) * stretch
    into.baseSeconds += (exact - whole) * (until - stretch / 2)
    into.slopeSeconds = whole
    into.validUntilContextTokens = Math.min(until, into.validUntilContextTokens)
    return into
  }

  breakdown(batch: StepBatch): StepBreakdown {
    return this.inner.breakdown(this.decoded(batch))
  }

  /** The batch with a decoding sequence in place of every chunk. */
  private decoded(batch: StepBatch): StepBatch {
    const into = this.scratch
    into.decodeSequences = batch.decodeSequences + batch.chunkCount
    into.decodeContextTokens = batch.decodeContextTokens
    into.decodeWindowTokens = batch.decodeWindowTokens
    for (let i = 0; i < batch.chunkCount; i++) {
      const context = batch.chunkContext[i]! + batch.chunkTokens[i]!
      into.decodeContextTokens += context
      into.decodeWindowTokens += Math.min(context, this.windowTokens)
    }
    return into
  }
}

/**
 * A step cost to which prompts are resident: each piece of one costs a decode step at its full context.
 * @param windowTokens attention window at which engines cut a sequence; undefined without one
 */
export const withResidentContext = (inner: StepCost, windowTokens: number | undefined): StepCost =>
  new ResidentContext(inner, windowTokens)
