import { rate, seconds } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { PiecewiseRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { exponentialSpacing } from './spacings.ts'

export const ramp = arrivalPart({
  name: 'ramp',
  sentence: 'Poisson arrivals whose rate goes in a straight line from one value to another, then stays there.',
  options: {
    fromRequestsPerSecond: rate('Rate at time 0.', { minimum: 0 }),
    toRequestsPerSecond: rate('Rate at the end of the ramp, and after it.'),
    rampSeconds: seconds('Length of the ramp.', { above: 0 }),
  },
  create: ({ fromRequestsPerSecond, toRequestsPerSecond, rampSeconds }, { stream }) =>
    new RenewalArrivals(
      exponentialSpacing(stream('gaps')),
      new PiecewiseRate([{ seconds: rampSeconds, from: fromRequestsPerSecond, to: toRequestsPerSecond }], 'hold'),
    ),
})
