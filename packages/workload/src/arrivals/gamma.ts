import { rate, ratio } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { ConstantRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { gammaSpacing } from './spacings.ts'

export const gamma = arrivalPart({
  name: 'gamma',
  sentence:
    'Gamma gaps: burstier than Poisson when cv is above 1, more regular below. cv = 1/sqrt(burstiness) of vLLM.',
  options: {
    requestsPerSecond: rate('Mean arrivals in a second.'),
    cv: ratio('Coefficient of variation of the gaps (standard deviation over mean).', { above: 0 }),
  },
  create: ({ requestsPerSecond, cv }, { stream }) =>
    new RenewalArrivals(gammaSpacing(stream('gaps'), cv), new ConstantRate(requestsPerSecond)),
})
