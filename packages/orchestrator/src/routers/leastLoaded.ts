import { lowest, type Router } from './router.ts'

export const leastLoaded: Router = {
  name: 'least-loaded',
  description: 'the replica with the fewest requests routed there and not ended',
  start: () => (_request, view) => lowest(view, (candidate) => view.outstandingRequests(candidate)),
}
