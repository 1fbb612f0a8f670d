import { CostInputError, requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'

/**
 * Tokens that a step of speculative decoding keeps on average, each drafted token being accepted with probability a on
 * its own: `1 + a + ... + a^K`, the last for the token the verifying pass gives anyway (bonus or correction). The book
 * describes the method and gives no formula; this is the usual one for independent acceptance. Book ch. 7, I11.
 */
export function expectedTokensPerStep(inputs: {
  /** Probability that a drafted token is accepted, 0 to 1. */
  acceptance: number
  /** Tokens drafted in a step, K; 0 is plain decoding. */
  draftTokens: number
}): number {
  const { acceptance, draftTokens } = inputs
  requireNonNegative('expectedTokensPerStep', { acceptance, draftTokens })
  if (acceptance > 1 || !Number.isSafeInteger(draftTokens)) {
    const found = `acceptance ${acceptance}, draftTokens ${draftTokens}`
    const expected = 'a probability of at most 1 and a whole number of tokens'
    throw new CostInputError({ where: 'expectedTokensPerStep', quantity: 'acceptance, draftTokens', expected, found })
  }
  let kept = 1
  for (let drafted = 0; drafted < draftTokens; drafted++) kept = 1 + acceptance * kept
  return kept
}

/** What speculation costs. Memory-bound decoding verifies a few tokens for the price of one. */
export interface SpeculationCost {
  acceptance: number
  /** One step of the target model for one token. */
  targetStepSeconds: number
  /** One step of the drafter. */
  draftStepSeconds: number
  /** What each drafted token adds to the verifying pass; 0 while it stays memory-bound. */
  verifySecondsPerDraftToken?: number
}

export interface SpeculationGain {
  draftTokens: number
  expectedTokens: number
  stepSeconds: number
  tokensPerSecond: number
  /** Over plain decoding. */
  speedup: number
}

/** Tokens per second of one sequence that drafts K tokens a step and verifies them in one pass. Book ch. 7, I11. */
export function speculativeDecoding(inputs: SpeculationCost & { draftTokens: number }): SpeculationGain {
  const { acceptance, draftTokens, targetStepSeconds, draftStepSeconds, verifySecondsPerDraftToken = 0 } = inputs
  requirePositive('speculativeDecoding', { targetStepSeconds })
  requireNonNegative('speculativeDecoding', { draftStepSeconds, verifySecondsPerDraftToken })
  const expectedTokens = expectedTokensPerStep({ acceptance, draftTokens })
  const stepSeconds = targetStepSeconds + draftTokens * (draftStepSeconds + verifySecondsPerDraftToken)
  const tokensPerSecond = expectedTokens / stepSeconds
  return { draftTokens, expectedTokens, stepSeconds, tokensPerSecond, speedup: tokensPerSecond * targetStepSeconds }
}

/**
 * The draft length from 0 to `maxDraftTokens` with most tokens per second; the shortest of equals. 0 means that drafting
 * does not pay. Book ch. 7, I11.
 */
export function bestDraftLength(inputs: SpeculationCost & { maxDraftTokens: number }): SpeculationGain {
  requireCount('bestDraftLength', { maxDraftTokens: inputs.maxDraftTokens })
  let best = speculativeDecoding({ ...inputs, draftTokens: 0 })
  for (let draftTokens = 1; draftTokens <= inputs.maxDraftTokens; draftTokens++) {
    const gain = speculativeDecoding({ ...inputs, draftTokens })
    if (gain.tokensPerSecond > best.tokensPerSecond) best = gain
  }
  return best
}
