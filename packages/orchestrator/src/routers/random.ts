import type { Router } from './router.ts'

export const random: Router = {
  name: 'random',
  description: 'any replica with equal chance',
  start: (stream) => (_request, view) => {
    view.trace?.because('by chance')
    return stream.integer(view.count)
  },
}
