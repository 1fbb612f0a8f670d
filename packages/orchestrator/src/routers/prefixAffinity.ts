import { defineRouter } from './defineRouter.ts'
import { HashRing } from './hashRing.ts'
import { loadFactor } from './loadFactor.ts'
import { fewestRequests } from './router.ts'

export const prefixAffinity = defineRouter({
  name: 'prefix-affinity',
  description:
    'prompts that begin alike to the same replica, by a hash of their first tokens on a ring with bounded load; it knows no cache',
  options: {
    prefixTokens: {
      kind: 'number',
      integer: true,
      unit: 'tokens',
      minimum: 1,
      maximum: 1e6,
      default: 256,
      sentence:
        'How far into a prompt two must be alike to be kept together: up to the end of the shared text in which this token is.',
    },
    loadFactor,
  },
  start: ({ prefixTokens, loadFactor }) => {
    const ring = new HashRing()
    return (_request, view) => {
      const node = view.prefixNode(prefixTokens)
      if (node !== 0) return ring.find(node, view, loadFactor)
      view.trace?.because('shares nothing: fewest outstanding requests')
      return fewestRequests(view)
    }
  },
})
