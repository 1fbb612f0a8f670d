import { ratio } from '../parts/units.ts'
import { bounded, bounds, lengthPart } from './part.ts'

export const exponential = lengthPart({
  name: 'exponential',
  sentence: 'Exponential lengths.',
  options: { mean: { ...ratio('Mean length before bounds.', { above: 0 }), unit: 'tokens' }, ...bounds },
  create: (values, { stream }) => {
    const random = stream('exponential')
    return bounded(values, values.mean, () => random.exponential(values.mean))
  },
})
