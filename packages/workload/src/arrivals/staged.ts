import { list, rate, seconds, withDefault } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { PiecewiseRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { evenSpacing, exponentialSpacing } from './spacings.ts'

export const staged = arrivalPart({
  name: 'staged',
  sentence: 'One constant rate after another; spikes and drains are stages too.',
  options: {
    stages: list('The stages in order.', {
      requestsPerSecond: rate('Mean arrivals in a second in this stage.', { minimum: 0 }),
      seconds: seconds('Length of the stage.', { above: 0 }),
    }),
    spacing: withDefault(
      { kind: 'choice', names: ['poisson', 'even'], sentence: 'Gaps within a stage.' } as const,
      'poisson',
    ),
    after: withDefault(
      {
        kind: 'choice',
        names: ['stop', 'hold', 'repeat'],
        sentence: 'After the last stage: no more arrivals, its rate for ever, or all stages again.',
      } as const,
      'stop',
    ),
  },
  create: ({ stages, spacing, after }, { stream }) => {
    const curve = new PiecewiseRate(
      stages.map(({ requestsPerSecond, seconds: length }) => ({
        seconds: length,
        from: requestsPerSecond,
        to: requestsPerSecond,
      })),
      after,
    )
    return spacing === 'even'
      ? new RenewalArrivals(evenSpacing, curve, 0)
      : new RenewalArrivals(exponentialSpacing(stream('gaps')), curve)
  },
})
