import { lowest, type Router } from './router.ts'

export const leastTokens: Router = {
  name: 'least-tokens',
  description: 'the replica with the fewest tokens still to be computed, counting what clients allow as output',
  start: () => (_request, view) => lowest(view, (candidate) => view.outstandingTokens(candidate)),
}
