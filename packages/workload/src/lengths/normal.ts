import { ratio } from '../parts/units.ts'
import { bounded, bounds, lengthPart } from './part.ts'

export const normal = lengthPart({
  name: 'normal',
  sentence: 'Normal lengths, rounded and kept within the bounds.',
  options: {
    mean: { ...ratio('Mean length before bounds.', { above: 0 }), unit: 'tokens' },
    standardDeviation: { ...ratio('Standard deviation before bounds.'), unit: 'tokens' },
    ...bounds,
  },
  create: (values, { stream }) => {
    const random = stream('normal')
    return bounded(values, values.mean, () => values.mean + values.standardDeviation * random.normal())
  },
})
