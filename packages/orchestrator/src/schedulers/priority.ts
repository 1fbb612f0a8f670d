import type { Scheduler } from './scheduler.ts'

export const priority: Scheduler = {
  name: 'priority',
  description:
    'lower priority numbers first, then arrival; the worst priority gives way (vLLM with scheduling policy priority)',
  rank: (request) => request.priority,
  victim: 'worstRank',
}
