import { requirePositive, requireShare } from '../costInputError.ts'
import { trainingFlops } from '../transformer/transformer.ts'

/** Seconds of some FLOPs on many chips at a given model FLOPs utilisation. Book ch. 5 and 6, T13. */
export function trainingSeconds(inputs: {
  flops: number
  chips: number
  peakFlopsPerSecond: number
  /** Model FLOPs utilisation, above 0 and at most 1. */
  utilisation: number
}): number {
  const { flops, chips, peakFlopsPerSecond, utilisation } = inputs
  requirePositive('trainingSeconds', { flops, chips, peakFlopsPerSecond })
  requireShare('trainingSeconds', { utilisation })
  return flops / (chips * peakFlopsPerSecond * utilisation)
}

/** Seconds of training on `tokens` tokens, a step's batch or the whole run: 6 params tokens/(chips C MFU). T13. */
export function trainingSecondsForTokens(inputs: {
  activatedParams: number
  tokens: number
  chips: number
  peakFlopsPerSecond: number
  utilisation: number
}): number {
  const { activatedParams, tokens, chips, peakFlopsPerSecond, utilisation } = inputs
  return trainingSeconds({ flops: trainingFlops({ activatedParams, tokens }), chips, peakFlopsPerSecond, utilisation })
}

/** The time of a run moved to another number of chips at the same utilisation; in the unit it is given in. T13. */
export function timeOnOtherChips(inputs: { time: number; chips: number; otherChips: number }): number {
  const { time, chips, otherChips } = inputs
  requirePositive('timeOnOtherChips', { time, chips, otherChips })
  return (time * chips) / otherChips
}
