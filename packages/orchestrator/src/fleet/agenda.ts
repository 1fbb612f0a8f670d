import { compareTime, copyTime, type Time } from '@windtunnel/des'
import { ORDER } from '../engines/engine.ts'
import { AFTER_ALL, ARRIVAL, DELIVERY, ENGINE, NOTHING, TIMERS, TRANSFER } from './eventKinds.ts'
import type { FleetState } from './fleetState.ts'
import type { Replica } from './replica.ts'

const FOR_EVER: Time = { seconds: Number.POSITIVE_INFINITY, ticks: 0 }

/** Finds the first event, writes its time into `into`, and says which queue it is in. */
export const findNext = (fleet: FleetState, into: Time): number => {
  forgetOutside(fleet)
  return findFirst(fleet, FOR_EVER, into)
}

/** The same of those up to and including `until`, relying on what is known of the events that are no engine's up to then. */
export const findFirst = (fleet: FleetState, until: Time, into: Time): number => {
  if (!fleet.outsideKnown) lookOutside(fleet, until)
  if (fleet.engineEvents.peekBefore(fleet.outside, fleet.outsideOrder, into)) return ENGINE
  copyTime(into, fleet.outside)
  return fleet.outsideWhat
}

/** What is known of the events that are no engine's may have changed, the next arrival too. */
export const forgetOutside = (fleet: FleetState): void => {
  fleet.outsideKnown = false
  fleet.arrivalKnown = false
}

/**
 * Finds the first event that is no engine's, up to and including `until`: beyond there is nothing, after all that happens
 * then. At one instant the queues come in the reverse of the order in which they are looked at.
 */
const lookOutside = (fleet: FleetState, until: Time): void => {
  if (!fleet.arrivalKnown) lookForArrival(fleet)
  const { outside, probe } = fleet
  if (fleet.deliveries.peek(probe) && compareTime(probe, fleet.arrival) <= 0) {
    copyTime(outside, probe)
    fleet.outsideWhat = DELIVERY
    fleet.outsideOrder = ORDER.arrival
  } else {
    copyTime(outside, fleet.arrival)
    fleet.outsideWhat = fleet.arrivalPending ? ARRIVAL : NOTHING
    fleet.outsideOrder = fleet.arrivalPending ? ORDER.arrival : AFTER_ALL
  }
  if (fleet.timers.size > 0 || fleet.links !== undefined) lookAtTimersAndLinks(fleet)
  if (compareTime(until, outside) < 0) {
    copyTime(outside, until)
    fleet.outsideWhat = NOTHING
    fleet.outsideOrder = AFTER_ALL
  }
  fleet.outsideKnown = true
}

const lookAtTimersAndLinks = (fleet: FleetState): void => {
  const { outside, probe, timers, links } = fleet
  if (timers.peek(probe) && compareTime(probe, outside) <= 0) {
    copyTime(outside, probe)
    fleet.outsideWhat = TIMERS
    fleet.outsideOrder = ORDER.command
  }
  if (links?.nextEvent(probe) === true && compareTime(probe, outside) <= 0) {
    copyTime(outside, probe)
    fleet.outsideWhat = TRANSFER
    fleet.outsideOrder = ORDER.transferEnd
  }
}

/** Writes the next arrival into `fleet.arrival`: at Infinity when none is known. */
const lookForArrival = (fleet: FleetState): void => {
  const { arrival } = fleet
  fleet.arrivalPending = fleet.config.source.peek(arrival)
  fleet.arrivalKnown = true
  if (fleet.arrivalPending) return
  arrival.seconds = Number.POSITIVE_INFINITY
  arrival.ticks = 0
}

export const refreshEvent = (fleet: FleetState, replica: Replica): void => {
  const order = replica.state === 'down' ? undefined : replica.engine.nextEvent(fleet.probe)
  if (order === undefined) fleet.engineEvents.remove(replica.index)
  else fleet.engineEvents.set(replica.index, fleet.probe, order)
}

/** Whether the source has another next arrival than when the events outside of the engines were looked at. */
export const arrivalsChanged = (fleet: FleetState): boolean => {
  const pending = fleet.config.source.peek(fleet.look)
  return pending !== fleet.arrivalPending || (pending && compareTime(fleet.look, fleet.arrival) !== 0)
}
