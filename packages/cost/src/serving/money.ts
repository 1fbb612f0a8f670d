import { requirePositive } from '../costInputError.ts'

/** Peak FLOPs that a dollar buys, and peak FLOP/s per dollar an hour (the two columns the editions mix up). S1. */
export function flopsPerDollar(inputs: { peakFlopsPerSecond: number; usdPerHour: number }): {
  flopsPerUsd: number
  flopsPerSecondPerUsdHour: number
} {
  const { peakFlopsPerSecond, usdPerHour } = inputs
  requirePositive('flopsPerDollar', { peakFlopsPerSecond, usdPerHour })
  const flopsPerSecondPerUsdHour = peakFlopsPerSecond / usdPerHour
  return { flopsPerUsd: flopsPerSecondPerUsdHour * 3600, flopsPerSecondPerUsdHour }
}

/** The offer, of those named, with the most FLOPs per dollar; the first of equals. Undefined for none. S1. */
export function cheapestFlops<Offer extends { peakFlopsPerSecond: number; usdPerHour: number }>(
  offers: readonly Offer[],
): Offer | undefined {
  let best: Offer | undefined
  for (const offer of offers) {
    if (best === undefined || flopsPerDollar(offer).flopsPerUsd > flopsPerDollar(best).flopsPerUsd) best = offer
  }
  return best
}

/** US dollars for a million tokens at a steady rate on chips rented by the hour. */
export function usdPerMillionTokens(inputs: { chips: number; usdPerHour: number; tokensPerSecond: number }): number {
  const { chips, usdPerHour, tokensPerSecond } = inputs
  requirePositive('usdPerMillionTokens', { chips, usdPerHour, tokensPerSecond })
  return (chips * usdPerHour * 1e6) / (tokensPerSecond * 3600)
}
