import { weightedIndex } from '../lengths/table.ts'
import { OptionError } from '../parts/errors.ts'
import { list, ratio, tokens, withDefault } from '../parts/units.ts'
import { scaledTokens } from '../sources/mix.ts'
import { structurePart } from './part.ts'
import { singleRequest } from './structure.ts'

export const samples = structurePart({
  name: 'samples',
  sentence: 'Independent requests whose input and output lengths are drawn together from measured pairs.',
  options: {
    samples: list('The pairs.', {
      inputTokens: tokens('Tokens of the prompt.'),
      outputTokens: tokens('Tokens generated.'),
      weight: withDefault(ratio('How often, relative to the others.'), 1),
    }),
  },
  create: ({ samples: pairs }, { stream, scales }) => {
    const { total, draw } = weightedIndex(pairs.map((pair) => pair.weight))
    if (total === 0) throw new OptionError('samples.samples', 'a weight above 0', 'none')
    const random = stream('samples')
    return {
      ...singleRequest,
      open: (draft) => {
        const pair = pairs[draw(random)]!
        draft.inputTokens = scaledTokens(pair.inputTokens, scales.prompt)
        draft.outputTokens = scaledTokens(pair.outputTokens, scales.output)
      },
    }
  },
})
