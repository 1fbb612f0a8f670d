import { toSeconds } from '@windtunnel/des'
import type { Choose } from '../routers/index.ts'
import type { Candidates } from './candidates.ts'
import type { FleetState } from './fleetState.ts'
import type { Replica } from './replica.ts'

export const routeRequest = (fleet: FleetState, slot: number, candidates: Candidates, choose: Choose): Replica => {
  const table = fleet.table
  const replica = candidates.choose(choose, slot)
  table.replica[slot] = replica.index
  replica.load(1, table.inputTokens[slot]! + table.maxTokens[slot]!)
  fleet.facts.observer.routed(table.id[slot]!, toSeconds(fleet.now), replica.index)
  return replica
}

/** A request that its generate replica could never hold is refused before it is prefilled. */
export const generateRefusal = (fleet: FleetState, slot: number): string | undefined => {
  return fleet.generateCandidates.count > 0
    ? fleet.generateCandidates.at(0).engine.refuses(slot)
    : 'no replica generates'
}
