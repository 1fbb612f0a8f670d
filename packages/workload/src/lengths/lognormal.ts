import { exp, log } from '@windtunnel/des'
import { ratio } from '../parts/units.ts'
import { bounded, bounds, lengthPart } from './part.ts'

export const lognormal = lengthPart({
  name: 'lognormal',
  sentence: 'Lognormal lengths: sigma^2 = log(1 + cv^2), median = mean / sqrt(1 + cv^2).',
  options: {
    mean: { ...ratio('Mean length before bounds.', { above: 0 }), unit: 'tokens' },
    cv: ratio('Coefficient of variation (standard deviation over mean).', { minimum: 0, maximum: 100 }),
    ...bounds,
  },
  create: (values, { stream }) => {
    const { mean, cv } = values
    const random = stream('lognormal')
    const variance = log(1 + cv * cv)
    const mu = log(mean) - variance / 2
    const sigma = Math.sqrt(variance)
    return bounded(values, mean, () => exp(mu + sigma * random.normal()))
  },
})
