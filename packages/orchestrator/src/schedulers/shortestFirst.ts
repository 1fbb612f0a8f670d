import type { Scheduler } from './scheduler.ts'

export const shortestFirst: Scheduler = {
  name: 'shortest-first',
  description: 'shortest prompt first; good for the mean, hard on long prompts under load',
  rank: (request) => request.inputTokens,
  victim: 'lastAdmitted',
}
