import { OptionError } from '../parts/errors.ts'
import { tokens } from '../parts/units.ts'
import { lengthPart } from './part.ts'

export const uniform = lengthPart({
  name: 'uniform',
  sentence: 'Every whole length from minimum to maximum is equally likely.',
  options: {
    minimum: tokens('Least length.', { minimum: 0 }),
    maximum: tokens('Greatest length.'),
  },
  create: ({ minimum, maximum }, { stream }) => {
    if (maximum < minimum)
      throw new OptionError('uniform.maximum', `at least the minimum of ${minimum}`, String(maximum))
    const random = stream('uniform')
    return { meanTokens: (minimum + maximum) / 2, next: () => minimum + random.integer(maximum - minimum + 1) }
  },
})
