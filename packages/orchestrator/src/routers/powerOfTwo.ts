import { defineRouter } from './defineRouter.ts'

export const powerOfTwo = defineRouter({
  name: 'power-of-two',
  description: 'two replicas by chance, the less loaded of them: most of the balance of least-loaded at constant cost',
  options: {},
  start: (_values, stream) => (_request, view) => {
    const a = stream.integer(view.count)
    const b = stream.integer(view.count)
    const atA = view.outstandingRequests(a)
    const atB = view.outstandingRequests(b)
    view.trace?.scored(a, atA)
    view.trace?.scored(b, atB)
    view.trace?.because('the less loaded of two drawn by chance')
    return atB < atA ? b : a
  },
})
