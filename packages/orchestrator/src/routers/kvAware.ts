import { lowest, type Router } from './router.ts'

/** What one outstanding request is worth in prompt tokens when cache hits are weighed against load. */
const TOKENS_PER_REQUEST = 512

export const kvAware: Router = {
  name: 'kv-aware',
  description:
    'the replica with the least work for this request: prompt tokens not cached there, plus 512 tokens for every outstanding request',
  start: () => (request, view) =>
    lowest(
      view,
      (candidate) =>
        request.inputTokens - view.cachedTokens(candidate) + TOKENS_PER_REQUEST * view.outstandingRequests(candidate),
    ),
}
