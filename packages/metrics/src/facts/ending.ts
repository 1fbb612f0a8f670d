import type { Observer } from '@windtunnel/orchestrator'

/** How a request ended, as the facts tell it. */
export type Ending = Parameters<Observer['ended']>[2]

export const ENDINGS: readonly Ending[] = ['completed', 'rejected', 'failed', 'cancelled', 'timedOut']
