import { rate, seconds, withDefault } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { ModulatedRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { exponentialSpacing } from './spacings.ts'

export const onOff = arrivalPart({
  name: 'onOff',
  sentence: 'Bursts: Poisson arrivals at one rate while on, at another (0 by default) while off; starts on.',
  options: {
    onRequestsPerSecond: rate('Rate while on.'),
    offRequestsPerSecond: withDefault(rate('Rate while off.', { minimum: 0 }), 0),
    onSeconds: seconds('Mean length of an on period.', { above: 0 }),
    offSeconds: seconds('Mean length of an off period.', { above: 0 }),
    periods: withDefault(
      {
        kind: 'choice',
        names: ['exponential', 'fixed'],
        sentence: 'Whether periods vary (exponential) or are all alike.',
      } as const,
      'exponential',
    ),
  },
  create: (values, { stream }) => {
    const { onRequestsPerSecond, offRequestsPerSecond, onSeconds, offSeconds, periods } = values
    const random = stream('periods')
    const means = [onSeconds, offSeconds]
    const rates = [onRequestsPerSecond, offRequestsPerSecond]
    const mean = (onRequestsPerSecond * onSeconds + offRequestsPerSecond * offSeconds) / (onSeconds + offSeconds)
    const durationOf = (state: number) => (periods === 'fixed' ? means[state]! : random.exponential(means[state]!))
    const curve = new ModulatedRate(rates, mean, durationOf, (state) => 1 - state)
    return new RenewalArrivals(exponentialSpacing(stream('gaps')), curve)
  },
})
