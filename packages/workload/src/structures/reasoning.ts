import { someTokens } from '../lengths/someTokens.ts'
import { part } from '../parts/units.ts'
import { input, structurePart } from './part.ts'
import { singleRequest } from './structure.ts'

export const reasoning = structurePart({
  name: 'reasoning',
  sentence: 'Requests to a model that thinks first: a long hidden output before the answer. Both are generated tokens.',
  options: {
    input,
    thinking: part('lengths', 'Hidden tokens generated before the answer.'),
    answer: part('lengths', 'Tokens of the answer.'),
  },
  create: ({ input, thinking, answer }, context) => {
    const inputs = someTokens('reasoning.input', context.promptLength('reasoning.input', input, 'input'))
    const thoughts = context.outputLength('reasoning.thinking', thinking, 'thinking')
    const answers = context.outputLength('reasoning.answer', answer, 'answer')
    if (thoughts.meanTokens === 0) someTokens('reasoning.answer', answers)
    return {
      ...singleRequest,
      open: (draft) => {
        draft.inputTokens = inputs.next()
        draft.outputTokens = thoughts.next() + answers.next()
      },
    }
  },
})
