import { exp, log, type RandomStream } from '@windtunnel/des'
import { rate, ratio, seconds } from '../parts/units.ts'
import type { Spacing } from './arrivalProcess.ts'
import { arrivalPart } from './part.ts'
import { ConstantRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'

/**
 * Gaps of a Hawkes process, scaled to mean 1: each arrival adds `branching` more on average, exponentially soon. Exact
 * simulation without rejection (Dassios and Zhao 2013): the wait for a background arrival and the wait out of the decaying
 * excess intensity are drawn apart, and the earlier one counts.
 */
function hawkesSpacing(random: RandomStream, branching: number, decay: number): Spacing {
  const background = 1 - branching
  let excess = 0
  return {
    next: () => {
      const fromBackground = random.exponential(1 / background)
      const survival = excess === 0 ? 0 : 1 + (decay * log(1 - random.uniform())) / excess
      const fromExcess = survival > 0 ? -log(survival) / decay : Number.POSITIVE_INFINITY
      const gap = Math.min(fromBackground, fromExcess)
      excess = excess * exp(-decay * gap) + branching * decay
      return gap
    },
  }
}

export const hawkes = arrivalPart({
  name: 'hawkes',
  sentence: 'Self-exciting arrivals: each one makes more of them likely for a while (retries, crowds).',
  options: {
    requestsPerSecond: rate('Mean arrivals in a second, with those that others caused.'),
    branching: ratio('Mean number of arrivals that one arrival causes directly.', { minimum: 0, maximum: 0.99 }),
    decaySeconds: seconds('Mean delay of an arrival after the one that caused it.', { above: 0 }),
  },
  create: ({ requestsPerSecond, branching, decaySeconds }, { stream }) =>
    new RenewalArrivals(
      hawkesSpacing(stream('gaps'), branching, 1 / (decaySeconds * requestsPerSecond)),
      new ConstantRate(requestsPerSecond),
    ),
})
