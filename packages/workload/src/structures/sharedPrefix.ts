import { someTokens } from '../lengths/someTokens.ts'
import { count, part, ratio, withDefault } from '../parts/units.ts'
import { output, structurePart } from './part.ts'
import { popularity } from './popularity.ts'
import { singleRequest } from './structure.ts'

export const sharedPrefix = structurePart({
  name: 'sharedPrefix',
  sentence: 'Groups of requests whose prompts begin alike (a system prompt), each followed by text of its own.',
  options: {
    groups: count('groups', 'Number of different prefixes.', { minimum: 1, maximum: 10_000_000 }),
    prefix: part('lengths', 'Tokens of a prefix, drawn once for each group.'),
    popularityExponent: withDefault(ratio('How fast groups become rarer, as rank^-exponent; 0 makes all alike.'), 0),
    input: part('lengths', 'Tokens of the prompt after the prefix.'),
    output,
  },
  create: ({ groups, prefix, popularityExponent, input, output }, context) => {
    const prefixes = context.length('sharedPrefix.prefix', prefix, 'prefix')
    const inputs = context.promptLength('sharedPrefix.input', input, 'input')
    const outputs = someTokens('sharedPrefix.output', context.outputLength('sharedPrefix.output', output, 'output'))
    if (prefixes.meanTokens === 0) someTokens('sharedPrefix.input', inputs)
    const choose = popularity(groups, popularityExponent, context.stream('group'))
    const { tree } = context
    const nodes = Int32Array.from({ length: groups }, () => {
      const tokens = prefixes.next()
      return tokens > 0 ? tree.fresh(0, tokens) : 0
    })
    return {
      ...singleRequest,
      open: (draft) => {
        const node = nodes[choose()]!
        draft.prompt = node
        draft.inputTokens = tree.depthOf(node) + inputs.next()
        draft.outputTokens = outputs.next()
      },
    }
  },
})
