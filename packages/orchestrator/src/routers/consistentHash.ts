import { defineRouter } from './defineRouter.ts'
import { HashRing } from './hashRing.ts'
import { loadFactor } from './loadFactor.ts'
import { fewestRequests } from './router.ts'

export const consistentHash = defineRouter({
  name: 'consistent-hash',
  description:
    'a session or tenant to its place on a ring of replicas, or the next one with room (consistent hashing with bounded load)',
  options: {
    key: {
      kind: 'choice',
      names: ['session', 'tenant'],
      default: 'session',
      sentence: 'What is kept together; a request without a session goes to the least loaded replica.',
    },
    loadFactor,
  },
  start: ({ key, loadFactor }) => {
    const ring = new HashRing()
    return (request, view) => {
      if (key === 'tenant') return ring.find(request.tenant + 1, view, loadFactor)
      if (request.session !== 0) return ring.find(request.session, view, loadFactor)
      view.trace?.because('no session: fewest outstanding requests')
      return fewestRequests(view)
    }
  },
})
