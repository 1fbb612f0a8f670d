import type { Picker, QueueView, Scheduler } from './scheduler.ts'

const longestPrefix: Picker = {
  pick(queue: QueueView): number {
    let best = 0
    let most = queue.cachedTokens(0)
    for (let at = 1; at < queue.count; at++) {
      const cached = queue.cachedTokens(at)
      if (cached > most) {
        best = at
        most = cached
      }
    }
    return best
  },
}

export const lpm: Scheduler = {
  name: 'lpm',
  description:
    'longest prefix first: the request with the most of its prompt in the cache now, before others evict it; text that nobody shares can wait long',
  start: () => longestPrefix,
  victim: 'lastAdmitted',
}
