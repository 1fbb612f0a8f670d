import type { Router } from './router.ts'

export const random: Router = {
  name: 'random',
  description: 'any replica with equal chance',
  start: (stream) => (_request, view) => stream.integer(view.count),
}
