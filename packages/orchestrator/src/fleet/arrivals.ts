import { addTicks, compareTime, copyTime, ticksFromSeconds, toSeconds } from '@windtunnel/des'
import { refreshEvent } from './agenda.ts'
import { endNow, forgetRequest, leaveReplica } from './endings.ts'
import { holdBack } from './faults.ts'
import type { FleetState } from './fleetState.ts'
import type { Replica } from './replica.ts'
import { generateRefusal, routeRequest } from './routing.ts'
import { setTimer, TIMER } from './timers.ts'
import { dropTarget } from './transferRoom.ts'

export const takeArrival = (fleet: FleetState): void => {
  const draft = fleet.draft
  fleet.config.source.take(draft)
  fleet.arrivalKnown = false
  const table = fleet.table
  const id = fleet.arrived++
  const slot = table.add(draft, id)
  const time = toSeconds(fleet.now)
  const due = fleet.config.firstTokenDueSeconds?.[draft.serviceClass]
  if (due !== undefined) table.deadlineSeconds[slot] = Math.min(table.deadlineSeconds[slot]!, time + due)
  fleet.facts.observer.arrived(id, time, draft.inputTokens, table.outputTokens[slot]!, draft.serviceClass, draft.tenant)
  if (draft.cancelAfterSeconds < Number.POSITIVE_INFINITY) setTimer(fleet, slot, TIMER.cancel, draft.cancelAfterSeconds)
  if (draft.timeoutSeconds < Number.POSITIVE_INFINITY) setTimer(fleet, slot, TIMER.timeout, draft.timeoutSeconds)
  if (fleet.arrivalCandidates.count === 0) return endNow(fleet, slot, 'rejected', 'no replica takes requests')
  sendRequest(fleet, slot)
}

/** Routes the request, and sends it through the front end of its replica. */
export const sendRequest = (fleet: FleetState, slot: number): void => {
  const table = fleet.table
  const candidates = fleet.arrivalCandidates
  const replica = routeRequest(fleet, slot, candidates, fleet.choose)
  const refusal = replica.engine.refuses(slot) ?? (fleet.disaggregated ? generateRefusal(fleet, slot) : undefined)
  if (refusal !== undefined) return endNow(fleet, slot, 'rejected', refusal)
  const { frontEndTicks } = replica
  const { secondsPerPromptToken } = replica.pool.frontEnd
  if (frontEndTicks === 0 && secondsPerPromptToken === 0) return deliverRequest(fleet, slot)
  const ready = replica.frontEndFree
  if (compareTime(ready, fleet.now) < 0) copyTime(ready, fleet.now)
  addTicks(ready, ticksFromSeconds(secondsPerPromptToken * table.inputTokens[slot]!))
  const delivered = addTicks(copyTime(fleet.probe, ready), frontEndTicks)
  fleet.deliveries.push(delivered, slot)
}

export const deliverRequest = (fleet: FleetState, slot: number): void => {
  const replica = fleet.replicas[fleet.table.replica[slot]!]!
  if (fleet.table.clientLeft[slot] === 1) {
    forgetRequest(fleet, slot)
    return
  }
  if (replica.state === 'down') return sendAgain(fleet, slot, replica)
  if (compareTime(replica.backAt, fleet.now) > 0) return holdBack(fleet, slot, replica)
  replica.engine.enqueue(slot, fleet.now)
  refreshEvent(fleet, replica)
}

/** The request begins anew on another replica than the lost one. */
export const sendAgain = (fleet: FleetState, slot: number, dead: Replica): void => {
  const table = fleet.table
  if (table.targetReplica[slot] !== -1) dropTarget(fleet, slot)
  leaveReplica(fleet, slot)
  table.restart(slot)
  table.retries[slot]! += 1
  if (fleet.arrivalCandidates.count > 0) sendRequest(fleet, slot)
  else endNow(fleet, slot, 'failed', `replica ${dead.index} died, and no other takes requests`)
}
