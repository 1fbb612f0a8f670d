import { OptionError } from '../parts/errors.ts'
import { list, rate, seconds } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { ModulatedRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { exponentialSpacing } from './spacings.ts'

export const mmpp = arrivalPart({
  name: 'mmpp',
  sentence:
    'Markov-modulated Poisson process: states with their own rate and exponential length; after one, any of the others is equally likely. Starts in the first.',
  options: {
    states: list(
      'The states.',
      {
        requestsPerSecond: rate('Rate in this state.', { minimum: 0 }),
        meanSeconds: seconds('Mean length of a stay.', { above: 0 }),
      },
      2,
    ),
  },
  create: ({ states }, { stream }) => {
    const random = stream('states')
    const total = states.reduce((sum, state) => sum + state.meanSeconds, 0)
    const mean = states.reduce((sum, state) => sum + state.requestsPerSecond * state.meanSeconds, 0) / total
    if (mean === 0) throw new OptionError('mmpp.states', 'a state with a rate above 0', 'none')
    const curve = new ModulatedRate(
      states.map((state) => state.requestsPerSecond),
      mean,
      (state) => random.exponential(states[state]!.meanSeconds),
      (state) => (state + 1 + random.integer(states.length - 1)) % states.length,
    )
    return new RenewalArrivals(exponentialSpacing(stream('gaps')), curve)
  },
})
