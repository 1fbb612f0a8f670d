import { addSeconds, compareTime } from '@windtunnel/des'
import { refreshEvent } from './agenda.ts'
import type { FleetState } from './fleetState.ts'
import type { Replica } from './replica.ts'
import type { Straggler } from './simulationConfig.ts'
import { SlowedCost } from './slowedCost.ts'
import { TIMER } from './timers.ts'

export const planPaces = (fleet: FleetState): void => {
  const replicas = fleet.config.pools.reduce((sum, pool) => sum + pool.replicas, 0)
  for (const [number, { replica, fromSeconds, untilSeconds, factor }] of stragglers(fleet).entries()) {
    if (replica >= replicas) throw new Error(`straggler ${number}: the fleet has no replica ${replica} at the start`)
    if (!(factor > 0) || !(untilSeconds > fromSeconds))
      throw new Error(`straggler ${number}: expected a factor above 0 and an end after ${fromSeconds} s`)
    for (const seconds of [fromSeconds, untilSeconds]) {
      const at = addSeconds({ seconds: 0, ticks: 0 }, seconds)
      fleet.timers.push(at.seconds, at.ticks, TIMER.pace, 0, replica)
    }
  }
}

export const stragglers = (fleet: FleetState): readonly Straggler[] => {
  return fleet.config.stragglers ?? []
}

/** The replica is as slow as those of its stragglers say that have begun and not ended. */
export const setPace = (fleet: FleetState, replica: Replica): void => {
  const { index, pool, engine, state } = replica
  const reached = (seconds: number): boolean =>
    compareTime(addSeconds({ seconds: 0, ticks: 0 }, seconds), fleet.now) <= 0
  const factors = stragglers(fleet)
    .filter((one) => one.replica === index && reached(one.fromSeconds) && !reached(one.untilSeconds))
    .map(({ factor }) => factor)
  const factor = factors.length === 0 ? 1 : Math.max(...factors)
  if (factor === (fleet.slowed.get(index)?.factor ?? 1)) return
  if (factor === 1) fleet.slowed.delete(index)
  else fleet.slowed.set(index, new SlowedCost(pool.cost, factor))
  fleet.surroundings[index]!.cost = fleet.slowed.get(index) ?? pool.cost
  if (state === 'down') return
  engine.costChanged(fleet.now)
  refreshEvent(fleet, replica)
}
