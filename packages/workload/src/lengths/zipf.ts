import { pow } from '@windtunnel/des'
import { OptionError } from '../parts/errors.ts'
import { ratio, tokens, withDefault } from '../parts/units.ts'
import { lengthPart } from './part.ts'
import { table } from './table.ts'

export const zipf = lengthPart({
  name: 'zipf',
  sentence: 'Lengths from minimum to maximum with probability falling as rank^-exponent, the shortest first.',
  options: {
    exponent: ratio('How fast the probability falls.', { minimum: 0 }),
    minimum: withDefault(tokens('Shortest length, the likeliest.', { minimum: 0 }), 1),
    maximum: tokens('Longest length.', { minimum: 1, maximum: 10_000_000 }),
  },
  create: ({ exponent, minimum, maximum }, { stream }) => {
    if (maximum < minimum) throw new OptionError('zipf.maximum', `at least the minimum of ${minimum}`, String(maximum))
    const ranks = maximum - minimum + 1
    const weights = Float64Array.from({ length: ranks }, (_, i) => pow(i + 1, -exponent))
    const lengths = Float64Array.from({ length: ranks }, (_, i) => minimum + i)
    return table(lengths, weights, stream('zipf'))
  },
})
