import { defineRouter } from './defineRouter.ts'
import { lowest } from './router.ts'

export const leastTokens = defineRouter({
  name: 'least-tokens',
  description: 'the replica with the fewest tokens still to be computed, counting what clients allow as output',
  options: {},
  start: () => (_request, view) => {
    const chosen = view.index?.fewestTokens() ?? lowest(view, (candidate) => view.outstandingTokens(candidate))
    view.trace?.because(`${view.outstandingTokens(chosen)} tokens outstanding`)
    return chosen
  },
})
