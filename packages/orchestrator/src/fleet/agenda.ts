import { compareTime, copyTime, type Time } from '@windtunnel/des'
import { ORDER } from '../engines/engine.ts'
import { AFTER_ALL, ARRIVAL, DELIVERY, ENGINE, NOTHING, TIMERS, TRANSFER } from './eventKinds.ts'
import type { FleetState } from './fleetState.ts'
import type { Replica } from './replica.ts'

/** Writes the time of the first event that is not of the first engine into `into`; returns its place in ORDER. */
export const findOther = (fleet: FleetState, into: Time, second: number | undefined): number => {
  copyTime(into, fleet.outside)
  if (second === undefined) return fleet.outsideOrder
  const order = fleet.engineEvents.orderOf(second)
  fleet.engineEvents.timeOf(second, fleet.probe)
  return isEarlier(fleet, into, fleet.outsideWhat, order, fleet.outsideOrder) ? order : fleet.outsideOrder
}

/** Finds the first event, writes its time into `into`, and says which queue it is in. */
export const findNext = (fleet: FleetState, into: Time): number => {
  fleet.outsideKnown = false
  return findFirst(fleet, into)
}

/** The same, relying on what is known of the events that are no engine's. */
export const findFirst = (fleet: FleetState, into: Time): number => {
  if (!fleet.outsideKnown) lookOutside(fleet)
  copyTime(into, fleet.outside)
  const queue = fleet.engineEvents
  if (queue.size === 0) return fleet.outsideWhat
  queue.peek(fleet.probe)
  const order = queue.orderOf(queue.first)
  return isEarlier(fleet, into, fleet.outsideWhat, order, fleet.outsideOrder) ? ENGINE : fleet.outsideWhat
}

/** Finds the first event that is no engine's. */
export const lookOutside = (fleet: FleetState): void => {
  const outside = fleet.outside
  let what = NOTHING
  let order = AFTER_ALL
  outside.seconds = Number.POSITIVE_INFINITY
  outside.ticks = 0
  if (fleet.links?.nextEvent(fleet.probe) === true && isEarlier(fleet, outside, what, ORDER.transferEnd, order)) {
    what = TRANSFER
    order = ORDER.transferEnd
  }
  if (
    fleet.timers.size > 0 &&
    fleet.timers.peek(fleet.probe) &&
    isEarlier(fleet, outside, what, ORDER.command, order)
  ) {
    what = TIMERS
    order = ORDER.command
  }
  if (
    fleet.deliveries.size > 0 &&
    fleet.deliveries.peek(fleet.probe) &&
    isEarlier(fleet, outside, what, ORDER.arrival, order)
  ) {
    what = DELIVERY
    order = ORDER.arrival
  }
  fleet.arrivalPending = fleet.config.source.peek(fleet.probe)
  if (fleet.arrivalPending) copyTime(fleet.arrival, fleet.probe)
  if (fleet.arrivalPending && isEarlier(fleet, outside, what, ORDER.arrival, order)) {
    what = ARRIVAL
    order = ORDER.arrival
  }
  fleet.outsideWhat = what
  fleet.outsideOrder = order
  fleet.outsideKnown = true
}

/** Whether the event at `#probe` with `order` comes before the best so far; if so its time is written into `into`. */
export const isEarlier = (fleet: FleetState, into: Time, what: number, order: number, bestOrder: number): boolean => {
  if (what !== NOTHING) {
    const difference = compareTime(fleet.probe, into)
    if (difference > 0 || (difference === 0 && order >= bestOrder)) return false
  }
  copyTime(into, fleet.probe)
  return true
}

export const refreshEvent = (fleet: FleetState, replica: Replica): void => {
  const order = replica.state === 'down' ? undefined : replica.engine.nextEvent(fleet.probe)
  if (order === undefined) fleet.engineEvents.remove(replica.index)
  else fleet.engineEvents.set(replica.index, fleet.probe.seconds, fleet.probe.ticks, order)
}

/** Whether the source has another next arrival than when the events outside of the engines were looked at. */
export const arrivalsChanged = (fleet: FleetState): boolean => {
  const pending = fleet.config.source.peek(fleet.look)
  return pending !== fleet.arrivalPending || (pending && compareTime(fleet.look, fleet.arrival) !== 0)
}
