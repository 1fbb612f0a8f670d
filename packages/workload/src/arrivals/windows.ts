import { list, rate, ratio, seconds, withDefault } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { PiecewiseRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { gammaSpacing, weibullSpacing } from './spacings.ts'

export const windows = arrivalPart({
  name: 'windows',
  sentence:
    'Windows of one length, each with a rate and a burstiness of its own: a measured day, as ServeGen describes one.',
  options: {
    windowSeconds: seconds('Length of a window.', { above: 0 }),
    windows: list('The windows in order.', {
      requestsPerSecond: rate('Mean arrivals in a second in this window.', { minimum: 0 }),
      gaps: withDefault(
        { kind: 'choice', names: ['gamma', 'weibull'], sentence: 'Distribution of the gaps.' } as const,
        'gamma',
      ),
      shape: withDefault(
        ratio('Its shape; 1 is Poisson for both, less is burstier.', { minimum: 0.01, maximum: 1000 }),
        1,
      ),
    }),
    after: withDefault(
      {
        kind: 'choice',
        names: ['stop', 'repeat'],
        sentence: 'After the last window: no more arrivals, or all windows again.',
      } as const,
      'stop',
    ),
  },
  create: ({ windowSeconds, windows: each, after }, { stream }) => {
    const random = stream('gaps')
    const curve = new PiecewiseRate(
      each.map(({ requestsPerSecond }) => ({ seconds: windowSeconds, from: requestsPerSecond, to: requestsPerSecond })),
      after,
    )
    const spacings = each.map(({ gaps, shape }) =>
      gaps === 'gamma' ? gammaSpacing(random, 1 / Math.sqrt(shape)) : weibullSpacing(random, shape),
    )
    return new RenewalArrivals({ next: () => spacings[curve.segment]!.next() }, curve)
  },
})
