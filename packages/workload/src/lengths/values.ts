import { OptionError } from '../parts/errors.ts'
import { list, ratio, tokens, withDefault } from '../parts/units.ts'
import { lengthPart } from './part.ts'
import { table } from './table.ts'

export const values = lengthPart({
  name: 'values',
  sentence: 'Lengths from a list, each in proportion to its weight: a measured histogram.',
  options: {
    values: list('The lengths.', {
      tokens: tokens('The length.', { minimum: 0 }),
      weight: withDefault(ratio('How often, relative to the others.'), 1),
    }),
  },
  create: ({ values: entries }, { stream }) => {
    const weights = Float64Array.from(entries, (entry) => entry.weight)
    if (!weights.some((weight) => weight > 0)) throw new OptionError('values.values', 'a weight above 0', 'none')
    return table(
      Float64Array.from(entries, (entry) => entry.tokens),
      weights,
      stream('values'),
    )
  },
})
