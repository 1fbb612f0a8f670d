import { rate } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { ConstantRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { exponentialSpacing } from './spacings.ts'

export const poisson = arrivalPart({
  name: 'poisson',
  sentence: 'Independent arrivals: exponential gaps.',
  options: { requestsPerSecond: rate('Mean arrivals in a second.') },
  create: ({ requestsPerSecond }, { stream }) =>
    new RenewalArrivals(exponentialSpacing(stream('gaps')), new ConstantRate(requestsPerSecond)),
})
