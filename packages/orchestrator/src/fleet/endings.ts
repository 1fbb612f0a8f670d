import { addTicks, copyTime, toSeconds } from '@windtunnel/des'
import type { Ending } from '@windtunnel/workload'
import { arrivalsChanged } from './agenda.ts'
import type { FleetState } from './fleetState.ts'
import { releaseFrom } from './replicaStates.ts'
import { dropTarget } from './transferRoom.ts'

/** The engine has dropped the request, done or abandoned. */
export const finished = (fleet: FleetState, slot: number): void => {
  const table = fleet.table
  if (table.clientLeft[slot] === 1) forgetRequest(fleet, slot)
  else endNow(fleet, slot, 'completed', '')
}

/** Tells the request's one ending and gives its slot back. */
export const endNow = (fleet: FleetState, slot: number, ending: Ending, reason: string): void => {
  tellEnding(fleet, slot, ending, fleet.table.emitted[slot]!, reason)
  forgetRequest(fleet, slot)
}

export const tellEnding = (
  fleet: FleetState,
  slot: number,
  ending: Ending,
  outputTokens: number,
  reason: string,
): void => {
  const table = fleet.table
  fleet.endings[ending] += 1
  fleet.facts.observer.ended(table.id[slot]!, toSeconds(fleet.now), ending, outputTokens, reason)
  if (!fleet.openSource) tellSource(fleet, table.tag[slot]!, ending)
}

const tellSource = (fleet: FleetState, tag: number, ending: Ending): void => {
  const told = copyTime(fleet.told, fleet.now)
  if (fleet.composing) addTicks(told, 1)
  fleet.config.source.ended(tag, ending, told)
  if (!fleet.stirred) fleet.stirred = arrivalsChanged(fleet)
  if (fleet.stirred) fleet.arrivalKnown = false
}

export const forgetRequest = (fleet: FleetState, slot: number): void => {
  if (fleet.disaggregated && fleet.table.targetReplica[slot] !== -1) dropTarget(fleet, slot)
  leaveReplica(fleet, slot)
  fleet.table.remove(slot)
}

export const leaveReplica = (fleet: FleetState, slot: number): void => {
  const table = fleet.table
  const replica = fleet.replicas[table.replica[slot]!]
  if (replica === undefined) return
  table.replica[slot] = -1
  releaseFrom(fleet, slot, replica)
}
