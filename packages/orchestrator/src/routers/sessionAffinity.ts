import { mix } from './hash.ts'
import { lowest, type Router } from './router.ts'

export const sessionAffinity: Router = {
  name: 'session-affinity',
  description:
    'all turns of a session to one replica (rendezvous hashing); requests without a session to the least loaded',
  start: () => (request, view) => {
    if (request.session === 0) return lowest(view, (candidate) => view.outstandingRequests(candidate))
    return lowest(view, (candidate) => mix(request.session, view.replicaAt(candidate)))
  },
}
