import { toSeconds } from '@windtunnel/des'
import type { FleetState } from './fleetState.ts'
import type { Replica } from './replica.ts'

/** The replica no longer counts the request. */
export const releaseFrom = (fleet: FleetState, slot: number, replica: Replica): void => {
  const table = fleet.table
  replica.load(-1, -table.inputTokens[slot]! - table.maxTokens[slot]!)
  retireDrained(fleet, replica)
}

/** A draining replica is down when nothing is left there. */
export const retireDrained = (fleet: FleetState, replica: Replica): void => {
  if (replica.outstandingRequests + replica.sending === 0 && replica.state === 'draining')
    setState(fleet, replica, 'down')
}

export const setState = (fleet: FleetState, replica: Replica, state: Replica['state']): void => {
  // A replica that is down has no more events: it tells of its last steps now.
  if (state === 'down') replica.engine.report(fleet.now)
  replica.state = state
  fleet.stirred = true
  if (state === 'down') replica.downAt = toSeconds(fleet.now)
  refreshCandidates(fleet)
}

export const refreshCandidates = (fleet: FleetState): void => {
  fleet.arrivalCandidates.refresh()
  fleet.generateCandidates.refresh()
}
