import { OptionError } from '../parts/errors.ts'
import { list, share, tokens } from '../parts/units.ts'
import { bounded, lengthPart } from './part.ts'

export const quantiles = lengthPart({
  name: 'quantiles',
  sentence: 'A measured distribution given by some of its quantiles, in a straight line between them.',
  options: {
    points: list(
      'Quantiles in rising order; the first must be at 0 and the last at 1.',
      { quantile: share('Share of lengths at or below.'), tokens: tokens('That length.', { minimum: 0 }) },
      2,
    ),
  },
  create: ({ points }, { stream }) => {
    const first = points[0]!
    const last = points.at(-1)!
    if (first.quantile !== 0 || last.quantile !== 1) {
      throw new OptionError('quantiles.points', 'points from quantile 0 to 1', `${first.quantile} to ${last.quantile}`)
    }
    let mean = 0
    for (let i = 1; i < points.length; i++) {
      const step = points[i]!.quantile - points[i - 1]!.quantile
      if (step <= 0 || points[i]!.tokens < points[i - 1]!.tokens) {
        throw new OptionError(
          `quantiles.points[${i}]`,
          'a greater quantile and no smaller length than the point before',
          'less',
        )
      }
      mean += (step * (points[i]!.tokens + points[i - 1]!.tokens)) / 2
    }
    const random = stream('quantiles')
    return bounded({ minimum: 0, maximum: undefined }, mean, () => {
      const u = random.uniform()
      let i = 1
      while (points[i]!.quantile <= u) i++
      const low = points[i - 1]!
      const high = points[i]!
      return low.tokens + ((high.tokens - low.tokens) * (u - low.quantile)) / (high.quantile - low.quantile)
    })
  },
})
