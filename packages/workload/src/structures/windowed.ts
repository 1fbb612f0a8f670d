import { list, optional, part, seconds } from '../parts/units.ts'
import { input, output, structurePart } from './part.ts'
import { singleRequest } from './structure.ts'

export const windowed = structurePart({
  name: 'windowed',
  sentence:
    'Independent requests whose lengths have another distribution in each window of time; after the last window the first comes again.',
  options: {
    windowSeconds: seconds('Length of a window.', { above: 0 }),
    windows: list('The windows in order.', {
      input,
      output,
      pieces: optional(part('lengths', 'Number of further pieces in the prompt, such as images.')),
      piece: optional(part('lengths', 'Tokens of such a piece.')),
    }),
  },
  create: ({ windowSeconds, windows }, context) => {
    const each = windows.map((window, i) => {
      const none = { name: 'fixed', tokens: 0 }
      const draw = (kind: 'length' | 'promptLength' | 'outputLength', name: keyof typeof window) =>
        context[kind](`windowed.windows[${i}].${name}`, window[name] ?? none, `${name} ${i}`)
      return {
        input: draw('promptLength', 'input'),
        output: draw('outputLength', 'output'),
        pieces: draw('length', 'pieces'),
        piece: draw('promptLength', 'piece'),
      }
    })
    return {
      ...singleRequest,
      open: (draft) => {
        const window = each[Math.floor(draft.arrival.seconds / windowSeconds) % each.length]!
        let tokens = window.input.next()
        for (let pieces = window.pieces.next(); pieces > 0; pieces--) tokens += window.piece.next()
        draft.inputTokens = tokens
        draft.outputTokens = window.output.next()
      },
    }
  },
})
