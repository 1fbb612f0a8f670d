import { defineRouter } from './defineRouter.ts'
import { mix } from './hash.ts'
import { fewestRequests, lowest } from './router.ts'

export const sessionAffinity = defineRouter({
  name: 'session-affinity',
  description:
    'all turns of a session to one replica (rendezvous hashing); requests without a session to the least loaded',
  options: {},
  start: () => (request, view) => {
    view.trace?.because(
      request.session === 0 ? 'no session: fewest outstanding requests' : `session ${request.session}`,
    )
    if (request.session === 0) return fewestRequests(view)
    return lowest(view, (candidate) => mix(request.session, view.replicaAt(candidate)))
  },
})
