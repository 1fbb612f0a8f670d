import type { Router } from '@windtunnel/orchestrator'

/**
 * Gives every tenant an island of two replicas, and takes the one of the two with fewer requests: a tenant's prompts meet
 * the same caches again, and a noisy tenant disturbs two replicas only.
 */
export const tenantIslands: Router = {
  name: 'tenant-islands',
  description: 'two replicas for every tenant, the less loaded of them',
  start: () => (request, view) => {
    const first = (2 * request.tenant) % view.count
    const second = (first + 1) % view.count
    return view.outstandingRequests(second) < view.outstandingRequests(first) ? second : first
  },
}
