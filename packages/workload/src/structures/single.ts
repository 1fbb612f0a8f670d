import { someTokens } from '../lengths/someTokens.ts'
import { input, output, structurePart } from './part.ts'
import { singleRequest } from './structure.ts'

export const single = structurePart({
  name: 'single',
  sentence: 'Independent requests that share nothing.',
  options: { input, output },
  create: ({ input, output }, context) => {
    const inputs = someTokens('single.input', context.promptLength('single.input', input, 'input'))
    const outputs = someTokens('single.output', context.outputLength('single.output', output, 'output'))
    return {
      ...singleRequest,
      open: (draft) => {
        draft.inputTokens = inputs.next()
        draft.outputTokens = outputs.next()
      },
    }
  },
})
