import type { Scheduler } from './scheduler.ts'

export const edf: Scheduler = {
  name: 'edf',
  description:
    'earliest deadline first: the objective of the class for the first token, or the client timeout where that is sooner; the latest deadline gives way',
  rank: (request) => request.deadlineSeconds,
  victim: 'worstRank',
}
