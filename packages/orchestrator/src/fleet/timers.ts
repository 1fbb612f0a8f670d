import { addSeconds, copyTime } from '@windtunnel/des'
import type { FleetState } from './fleetState.ts'

/** What a timer is for. */
export const TIMER = { cancel: 0, timeout: 1, startUp: 2, outage: 3, pace: 4 } as const

/** Rings for the request in so many seconds, unless it has ended by then. */
export const setTimer = (fleet: FleetState, slot: number, kind: number, seconds: number): void => {
  const at = copyTime(fleet.probe, fleet.now)
  addSeconds(at, seconds)
  fleet.timers.push(at.seconds, at.ticks, kind, fleet.table.generation[slot]! | 0, slot)
}
