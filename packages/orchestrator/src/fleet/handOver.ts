import { toSeconds } from '@windtunnel/des'
import { NO_SLOT } from '../requests.ts'
import { refreshEvent } from './agenda.ts'
import { endNow, forgetRequest, leaveReplica } from './endings.ts'
import type { FleetState } from './fleetState.ts'
import type { Replica } from './replica.ts'
import { routeRequest } from './routing.ts'
import { letGo, reserveIncoming, sendableBytes } from './transferRoom.ts'

/** A prompt is computed: chooses where to generate, and asks for room there. */
export const handOver = (fleet: FleetState, slot: number): void => {
  fleet.stirred = true
  const table = fleet.table
  const source = table.replica[slot]!
  table.sourceReplica[slot] = source
  fleet.replicas[source]!.sending += 1
  leaveReplica(fleet, slot)
  if (table.targetReplica[slot] !== -1 && table.clientLeft[slot] === 0) {
    table.replica[slot] = table.targetReplica[slot]!
    fleet.links!.offer(slot, sendableBytes(fleet, slot), fleet.now)
    return
  }
  if (fleet.table.clientLeft[slot] === 1 || fleet.generateCandidates.count === 0) {
    letGo(fleet, slot, fleet.replicas[source]!)
    if (fleet.table.clientLeft[slot] === 1) forgetRequest(fleet, slot)
    else endNow(fleet, slot, 'failed', 'no replica generates')
    return
  }
  chooseTarget(fleet, slot)
  table.replica[slot] = table.targetReplica[slot]!
}

/** Chooses where to generate, and asks for room there. */
export const chooseTarget = (fleet: FleetState, slot: number): void => {
  const table = fleet.table
  const source = table.replica[slot]!
  const target = routeRequest(fleet, slot, fleet.generateCandidates, fleet.chooseGenerate)
  table.replica[slot] = source
  table.targetReplica[slot] = target.index
  target.transferring += 1
  target.incoming.push(slot)
  reserveIncoming(fleet, target)
  refreshEvent(fleet, target)
}

/** A step that begins now brings the prompt to `tokens` tokens: their KV may travel. */
export const computing = (fleet: FleetState, slot: number, tokens: number): void => {
  fleet.stirred = true
  const table = fleet.table
  if (table.clientLeft[slot] === 1) return
  if (tokens > table.sendableTokens[slot]!) table.sendableTokens[slot] = tokens
  if (table.targetReplica[slot] !== -1) fleet.links!.offer(slot, sendableBytes(fleet, slot), fleet.now)
  else if (fleet.generateCandidates.count > 0) {
    table.sourceReplica[slot] = table.replica[slot]!
    chooseTarget(fleet, slot)
  }
}

/** A transfer has ended; NO_SLOT where only shares of links have changed. */
export const endTransfer = (fleet: FleetState, slot: number): void => {
  if (slot === NO_SLOT) return
  const table = fleet.table
  const source = fleet.replicas[table.sourceReplica[slot]!]!
  const target = fleet.replicas[table.replica[slot]!]!
  letGo(fleet, slot, source)
  target.transferring -= 1
  table.sourceReplica[slot] = -1
  table.targetReplica[slot] = -1
  if (table.clientLeft[slot] === 1) {
    target.engine.cancelIncoming(slot, fleet.now)
    forgetRequest(fleet, slot)
  } else {
    fleet.facts.observer.transferred(table.id[slot]!, toSeconds(fleet.now), source.index, target.index)
    target.engine.insert(slot, fleet.now)
  }
  reserveIncoming(fleet, target)
  refreshEvent(fleet, target)
}

export const abandonTransfer = (fleet: FleetState, slot: number, target: Replica): void => {
  const source = fleet.replicas[fleet.table.sourceReplica[slot]!]!
  const waiting = target.incoming.indexOf(slot)
  if (waiting >= 0) target.incoming.splice(waiting, 1)
  else if (!fleet.links!.cancel(slot, fleet.now)) return
  else target.engine.cancelIncoming(slot, fleet.now)
  letGo(fleet, slot, source)
  target.transferring -= 1
  fleet.table.targetReplica[slot] = -1
  forgetRequest(fleet, slot)
  reserveIncoming(fleet, target)
  refreshEvent(fleet, target)
}
