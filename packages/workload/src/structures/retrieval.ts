import { someTokens } from '../lengths/someTokens.ts'
import { count, part, ratio, tokens, withDefault } from '../parts/units.ts'
import { output, structurePart } from './part.ts'
import { popularity } from './popularity.ts'
import { singleRequest } from './structure.ts'

/** Most documents: content numbers are node * 2^21 + document. */
const MOST_DOCUMENTS = 2097152
/** Draws of one document before the next free one is taken. */
const MOST_TRIES = 64

export const retrieval = structurePart({
  name: 'retrieval',
  sentence: 'Prompts of a system prompt, some documents of a shared collection, and a question of their own.',
  options: {
    systemTokens: withDefault(tokens('Tokens of the system prompt.', { minimum: 0 }), 0),
    documents: count('documents', 'Size of the collection.', { minimum: 1, maximum: MOST_DOCUMENTS }),
    document: part('lengths', 'Tokens of a document, drawn once for each.'),
    documentsPerRequest: count('documents', 'Documents in a prompt.'),
    popularityExponent: withDefault(ratio('How fast documents become rarer, as rank^-exponent; 0 makes all alike.'), 1),
    order: withDefault(
      {
        kind: 'choice',
        names: ['ranked', 'sorted'],
        sentence: 'Documents as drawn (ranked), or always in one order (sorted), which shares more.',
      } as const,
      'ranked',
    ),
    question: part('lengths', 'Tokens of the question.'),
    output,
  },
  create: (values, context) => {
    const { tree } = context
    const sizes = someTokens('retrieval.document', context.length('retrieval.document', values.document, 'document'))
    const questions = someTokens(
      'retrieval.question',
      context.promptLength('retrieval.question', values.question, 'question'),
    )
    const outputs = someTokens('retrieval.output', context.outputLength('retrieval.output', values.output, 'output'))
    const choose = popularity(values.documents, values.popularityExponent, context.stream('documents'))
    const tokensOf = Int32Array.from({ length: values.documents }, () => Math.max(1, sizes.next()))
    // A node of our own makes the content numbers of this collection differ from those of any other.
    const content = tree.fresh(0, 1) * MOST_DOCUMENTS
    const system = values.systemTokens > 0 ? tree.fresh(0, values.systemTokens) : 0
    const wanted = Math.min(values.documentsPerRequest, values.documents)
    const chosen = new Int32Array(wanted)
    const draw = () => {
      for (let i = 0; i < wanted; i++) {
        let document = choose()
        for (let tries = 0; includes(chosen, i, document); tries++) {
          // Where the rest is too rare to come up, the most popular one that is left.
          document = tries < MOST_TRIES ? choose() : (document + 1) % values.documents
        }
        chosen[i] = document
      }
      if (values.order === 'sorted') chosen.sort()
    }
    return {
      ...singleRequest,
      open: (draft) => {
        draw()
        let node = system
        for (const document of chosen) node = tree.child(node, content + document, tokensOf[document]!)
        draft.prompt = node
        draft.inputTokens = tree.depthOf(node) + Math.max(1, questions.next())
        draft.outputTokens = outputs.next()
      },
    }
  },
})

function includes(chosen: Int32Array, length: number, document: number): boolean {
  for (let i = 0; i < length; i++) if (chosen[i] === document) return true
  return false
}
