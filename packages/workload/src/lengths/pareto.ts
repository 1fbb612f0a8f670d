import { pow } from '@windtunnel/des'
import { ratio } from '../parts/units.ts'
import { bounded, bounds, lengthPart } from './part.ts'

export const pareto = lengthPart({
  name: 'pareto',
  sentence: 'Pareto lengths: a power-law tail above `scale`; the mean is infinite when shape is at most 1.',
  options: {
    scale: { ...ratio('Least length before bounds.', { above: 0 }), unit: 'tokens' },
    shape: ratio('Exponent of the tail: P(length > x) = (scale / x)^shape.', { above: 0 }),
    ...bounds,
  },
  create: (values, { stream }) => {
    const { scale, shape } = values
    const random = stream('pareto')
    const mean = shape > 1 ? (shape * scale) / (shape - 1) : undefined
    return bounded(values, mean, () => scale * pow(1 - random.uniform(), -1 / shape))
  },
})
