import { PHASE } from '../requests.ts'
import { refreshEvent } from './agenda.ts'
import type { FleetState } from './fleetState.ts'
import type { Replica } from './replica.ts'
import { releaseFrom, retireDrained } from './replicaStates.ts'

/** Bytes of the request's KV that may travel now: all when the prompt is complete, else all but the last layer of what is begun. */
export const sendableBytes = (fleet: FleetState, slot: number): number => {
  const table = fleet.table
  const tokens = table.inputTokens[slot]!
  const all = kvBytes(fleet, tokens)
  if (table.phase[slot] === PHASE.transferring) return all
  const { layers = 1 } = fleet.config.transfer!
  const missing = kvBytes(fleet, tokens - Math.min(tokens, table.sendableTokens[slot]!))
  return ((all - missing) * (layers - 1)) / layers
}

export const kvBytes = (fleet: FleetState, tokens: number): number => {
  const { bytesPerToken, kvBytes } = fleet.config.transfer!
  return kvBytes === undefined ? tokens * bytesPerToken : kvBytes(tokens)
}

/** Starts the transfers that fit on `target`, in order. */
export const reserveIncoming = (fleet: FleetState, target: Replica): void => {
  fleet.stirred = true
  while (target.incoming.length > 0 && target.state !== 'down') {
    const slot = target.incoming[0]!
    if (!target.engine.reserveIncoming(slot, fleet.now)) return
    if (target.incoming.length === 1) target.incoming.pop()
    else target.incoming.shift()
    const bytes = kvBytes(fleet, fleet.table.inputTokens[slot]!)
    const offered = fleet.table.phase[slot] === PHASE.transferring ? bytes : sendableBytes(fleet, slot)
    fleet.links!.request(slot, fleet.table.sourceReplica[slot]!, target.index, bytes, offered, fleet.now)
  }
}

/** The prefill side frees the KV of a request that has been handed over, or will not be. */
export const letGo = (fleet: FleetState, slot: number, source: Replica): void => {
  source.engine.releaseTransferred(slot, fleet.now)
  source.sending -= 1
  retireDrained(fleet, source)
  refreshEvent(fleet, source)
}

/** The room kept on the generate side for a prompt that is still being computed is given back. */
export const dropTarget = (fleet: FleetState, slot: number): void => {
  const table = fleet.table
  const target = fleet.replicas[table.targetReplica[slot]!]!
  const waiting = target.incoming.indexOf(slot)
  if (waiting >= 0) target.incoming.splice(waiting, 1)
  else {
    fleet.links!.cancel(slot, fleet.now)
    target.engine.cancelIncoming(slot, fleet.now)
  }
  table.targetReplica[slot] = -1
  target.transferring -= 1
  releaseFrom(fleet, slot, target)
  reserveIncoming(fleet, target)
  refreshEvent(fleet, target)
}
