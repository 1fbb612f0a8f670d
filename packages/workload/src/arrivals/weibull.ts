import { rate, ratio } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { ConstantRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { weibullSpacing } from './spacings.ts'

export const weibull = arrivalPart({
  name: 'weibull',
  sentence: 'Weibull gaps: heavy-tailed and bursty when shape is below 1, Poisson at 1, regular above.',
  options: {
    requestsPerSecond: rate('Mean arrivals in a second.'),
    shape: ratio('Shape of the distribution of gaps.', { minimum: 0.1, maximum: 100 }),
  },
  create: ({ requestsPerSecond, shape }, { stream }) =>
    new RenewalArrivals(weibullSpacing(stream('gaps'), shape), new ConstantRate(requestsPerSecond)),
})
