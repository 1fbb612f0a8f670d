import type { Router } from './router.ts'

export const roundRobin: Router = {
  name: 'round-robin',
  description: 'one after the other, blind to load and caches',
  start() {
    let turn = 0
    return (_request, view) => {
      view.trace?.because('its turn')
      return turn++ % view.count
    }
  },
}
