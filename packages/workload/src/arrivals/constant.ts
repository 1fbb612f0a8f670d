import { rate } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { ConstantRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { evenSpacing } from './spacings.ts'

export const constant = arrivalPart({
  name: 'constant',
  sentence: 'Evenly spaced arrivals, the first at time 0.',
  options: { requestsPerSecond: rate('Arrivals in a second.') },
  create: ({ requestsPerSecond }) => new RenewalArrivals(evenSpacing, new ConstantRate(requestsPerSecond), 0),
})
