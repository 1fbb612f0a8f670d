import { defineRouter } from './defineRouter.ts'
import { lowest } from './router.ts'

export const kvAware = defineRouter({
  name: 'kv-aware',
  description:
    'the replica with the least work for this request: prompt tokens not cached there, plus what its outstanding requests are worth',
  options: {
    requestTokens: {
      kind: 'number',
      integer: false,
      unit: 'tokens',
      minimum: 0,
      maximum: 1e6,
      default: 512,
      sentence: 'What one outstanding request is worth in prompt tokens when cache hits are weighed against load.',
    },
    eventDelaySeconds: {
      kind: 'number',
      integer: false,
      unit: 'seconds',
      minimum: 0,
      maximum: 400,
      default: 0,
      sentence:
        'How long the news of cached text is on its way: it is known so long after the step that made it has ended.',
    },
  },
  start:
    ({ requestTokens }) =>
    (request, view) => {
      const chosen =
        view.index?.leastWork(requestTokens) ??
        lowest(
          view,
          (candidate) =>
            request.inputTokens - view.cachedTokens(candidate) + requestTokens * view.outstandingRequests(candidate),
        )
      view.trace?.because(
        `${view.cachedTokens(chosen)} of ${request.inputTokens} prompt tokens cached, ${view.outstandingRequests(chosen)} requests outstanding`,
      )
      return chosen
    },
})
