import { defineRouter } from './defineRouter.ts'
import { fewestRequests } from './router.ts'

export const leastLoaded = defineRouter({
  name: 'least-loaded',
  description: 'the replica with the fewest requests routed there and not ended',
  options: {},
  start: () => (_request, view) => {
    const chosen = fewestRequests(view)
    view.trace?.because(`${view.outstandingRequests(chosen)} requests outstanding`)
    return chosen
  },
})
