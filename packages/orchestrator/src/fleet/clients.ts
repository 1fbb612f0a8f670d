import type { Ending } from '@windtunnel/workload'
import { PHASE } from '../requests.ts'
import { refreshEvent } from './agenda.ts'
import { tellEnding } from './endings.ts'
import type { FleetState } from './fleetState.ts'
import { abandonTransfer } from './handOver.ts'

/** The ending is told at once; blocks come back at the engine's next step boundary, or when a transfer under way ends. */
export const clientLeaves = (fleet: FleetState, slot: number, ending: Ending, reason: string): void => {
  const table = fleet.table
  const replica = fleet.replicas[table.replica[slot]!]!
  const phase = table.phase[slot]!
  const emitted = phase === PHASE.travelling ? 0 : replica.engine.emittedBy(slot, fleet.now)
  tellEnding(fleet, slot, ending, emitted, reason)
  table.clientLeft[slot] = 1
  if (phase === PHASE.travelling) return
  if (phase !== PHASE.transferring) replica.engine.abandon(slot, fleet.now)
  else abandonTransfer(fleet, slot, replica)
  refreshEvent(fleet, replica)
}
