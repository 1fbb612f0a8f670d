import type { Router } from './router.ts'

export const powerOfTwo: Router = {
  name: 'power-of-two',
  description: 'two replicas by chance, the less loaded of them: most of the balance of least-loaded at constant cost',
  start: (stream) => (_request, view) => {
    const a = stream.integer(view.count)
    const b = stream.integer(view.count)
    return view.outstandingRequests(b) < view.outstandingRequests(a) ? b : a
  },
}
