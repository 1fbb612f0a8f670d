import { addSeconds } from '@windtunnel/des'
import { PHASE } from '../requests.ts'
import { sendAgain } from './arrivals.ts'
import { forgetRequest, tellEnding } from './endings.ts'
import type { FleetState } from './fleetState.ts'
import { abandonTransfer } from './handOver.ts'
import type { Replica } from './replica.ts'
import { engineFor, startLater } from './replicaSet.ts'
import { refreshCandidates, setState } from './replicaStates.ts'
import type { Outage } from './simulationConfig.ts'
import { TIMER } from './timers.ts'
import { dropTarget } from './transferRoom.ts'

export const planOutages = (fleet: FleetState): void => {
  for (const [number, { replica, atSeconds }] of (fleet.config.outages ?? []).entries()) {
    if (fleet.replicas[replica]?.pool.role !== 'both')
      throw new Error(`outage ${number}: replica ${replica} is none of the fleet that does both phases`)
    const at = addSeconds({ seconds: 0, ticks: 0 }, atSeconds)
    fleet.timers.push(at.seconds, at.ticks, TIMER.outage, 0, number)
  }
}

/** The replica loses all it held; its requests stay with it, and start over when it is back. */
export const failForAWhile = (fleet: FleetState, { replica: index, downSeconds }: Outage): void => {
  const replica = fleet.replicas[index]!
  if (replica.state === 'down') return
  const table = fleet.table
  replica.engine.report(fleet.now)
  const lost: number[] = []
  for (let slot = 0; slot < table.capacity; slot++)
    if (table.replica[slot] === index && table.phase[slot]! > PHASE.travelling && table.phase[slot] !== PHASE.gone)
      lost.push(slot)
  lost.sort((a, b) => table.id[a]! - table.id[b]!)
  replica.renew(engineFor(fleet, replica.pool, index))
  fleet.engineEvents.remove(index)
  fleet.arrivalCandidates.forgetCaches()
  startLater(fleet, replica, downSeconds)
  for (const slot of lost) {
    table.restart(slot)
    holdBack(fleet, slot, replica)
  }
  if (replica.state === 'up') setState(fleet, replica, 'starting')
  else refreshCandidates(fleet)
}

/** The request reaches the engine of its replica when that is back. */
export const holdBack = (fleet: FleetState, slot: number, { backAt }: Replica): void => {
  fleet.deliveries.push(backAt, slot)
}

/** The replica is lost with all it held. */
export const killReplica = (fleet: FleetState, replica: Replica): void => {
  const table = fleet.table
  setState(fleet, replica, 'down')
  fleet.engineEvents.remove(replica.index)
  const lost: number[] = []
  const coming: number[] = []
  for (let slot = 0; slot < table.capacity; slot++) {
    if (table.phase[slot] === PHASE.gone) continue
    if (table.replica[slot] === replica.index || table.sourceReplica[slot] === replica.index) lost.push(slot)
    else if (table.targetReplica[slot] === replica.index) coming.push(slot)
  }
  const byNumber = (a: number, b: number): number => table.id[a]! - table.id[b]!
  for (const slot of coming.sort(byNumber)) dropTarget(fleet, slot)
  lost.sort(byNumber)
  for (const slot of lost) loseRequest(fleet, slot, replica)
}

/** A request loses its replica `dead`; on the other side of a transfer, its blocks come back. */
export const loseRequest = (fleet: FleetState, slot: number, dead: Replica): void => {
  const table = fleet.table
  const again = table.clientLeft[slot] === 0 && table.retries[slot]! < (fleet.config.retries ?? 0)
  if (table.phase[slot] === PHASE.travelling) {
    if (again) return
    if (table.clientLeft[slot] === 0) tellEnding(fleet, slot, 'failed', 0, `replica ${dead.index} died`)
    table.clientLeft[slot] = 1
    return
  }
  if (table.phase[slot] === PHASE.transferring) {
    if (table.clientLeft[slot] === 0)
      tellEnding(fleet, slot, 'failed', table.emitted[slot]!, `replica ${dead.index} died`)
    table.clientLeft[slot] = 1
    abandonTransfer(fleet, slot, fleet.replicas[table.replica[slot]!]!)
    return
  }
  const emitted = dead.engine.emittedBy(slot, fleet.now)
  if (again && emitted === 0) return sendAgain(fleet, slot, dead)
  if (table.clientLeft[slot] === 0) tellEnding(fleet, slot, 'failed', emitted, `replica ${dead.index} died`)
  forgetRequest(fleet, slot)
}
