import { compareTime, copyTime, type Time } from '@windtunnel/des'
import { ORDER } from '../engines/engine.ts'
import { findFirst, forgetOutside, refreshEvent } from './agenda.ts'
import { deliverRequest, takeArrival } from './arrivals.ts'
import { clientLeaves } from './clients.ts'
import { ARRIVAL, DELIVERY, ENGINE, NOTHING, TIMERS, TRANSFER } from './eventKinds.ts'
import { failForAWhile } from './faults.ts'
import type { FleetState } from './fleetState.ts'
import { endTransfer } from './handOver.ts'
import { setState } from './replicaStates.ts'
import { setPace } from './stragglers.ts'
import { TIMER } from './timers.ts'
import { reserveIncoming } from './transferRoom.ts'

/** Times beyond this are a driver's "for ever": the clock does not follow them. */
const FAR_SECONDS = 4503599627370496

/** Handles events up to and including `until`, at most `maxEvents`; returns how many. */
export const runUntil = (fleet: FleetState, until: Time, maxEvents: number): number => {
  const { now } = fleet
  let handled = 0
  // Since the last run a command or a refill of the source may have changed anything.
  forgetOutside(fleet)
  for (;;) {
    const what = findFirst(fleet, until, fleet.next)
    if (what === NOTHING) {
      if (until.seconds < FAR_SECONDS && compareTime(until, now) > 0) copyTime(now, until)
      return handled
    }
    if (handled >= maxEvents) return handled
    copyTime(now, fleet.next)
    if (what === ENGINE) handled += runEngine(fleet, maxEvents - handled)
    else {
      handleOutside(fleet, what)
      fleet.outsideKnown = false
      handled += 1
    }
  }
}

/**
 * Handles the engine event that is due, and those of the same engine that follow before anything else could happen:
 * before every other pending event, before the end of the time that `findFirst` looked into, and as long as nothing it does
 * reaches beyond its replica. Returns how many.
 */
export const runEngine = (fleet: FleetState, maxEvents: number): number => {
  const queue = fleet.engineEvents
  const index = queue.first
  const replica = fleet.replicas[index]!
  const { engine } = replica
  const { now, next, outsideOrder } = fleet
  const { seconds, ticks } = fleet.outside
  const { incoming } = replica
  fleet.stirred = false
  fleet.composing = queue.orderOf(index) === ORDER.compose
  let handled = 0
  let order: number | undefined
  for (;;) {
    engine.handle(now)
    handled += 1
    if (incoming.length > 0) {
      fleet.composing = false
      reserveIncoming(fleet, replica)
    }
    if (fleet.stirred) break
    order = engine.nextEvent(next)
    if (order === undefined || handled >= maxEvents) break
    if ((next.seconds - seconds || next.ticks - ticks || order - outsideOrder) >= 0) break
    if (!queue.wouldBeFirst(index, next, order)) break
    now.seconds = next.seconds
    now.ticks = next.ticks
    fleet.composing = order === ORDER.compose
  }
  fleet.composing = false
  fleet.outsideKnown = !fleet.stirred
  if (fleet.stirred) refreshEvent(fleet, replica)
  else if (order === undefined) queue.remove(index)
  else queue.set(index, next, order)
  return handled
}

export const handleOutside = (fleet: FleetState, what: number): void => {
  switch (what) {
    case ARRIVAL:
      return takeArrival(fleet)
    case DELIVERY:
      return deliverRequest(fleet, fleet.deliveries.take())
    case TRANSFER:
      return endTransfer(fleet, fleet.links!.handle(fleet.now))
    case TIMERS:
      return ringTimer(fleet)
  }
}

export const ringTimer = (fleet: FleetState): void => {
  const kind = fleet.timers.order
  const subject = fleet.timers.subject
  const generation = fleet.timers.kind
  fleet.timers.pop()
  if (kind === TIMER.outage) return failForAWhile(fleet, fleet.config.outages![subject]!)
  if (kind === TIMER.pace) return setPace(fleet, fleet.replicas[subject]!)
  if (kind === TIMER.startUp) {
    const replica = fleet.replicas[subject]!
    if (replica.state === 'starting' && compareTime(replica.backAt, fleet.now) <= 0) setState(fleet, replica, 'up')
    return
  }
  const table = fleet.table
  if ((table.generation[subject]! | 0) !== generation || table.clientLeft[subject] === 1) return
  if (kind === TIMER.cancel) clientLeaves(fleet, subject, 'cancelled', 'the client left')
  else clientLeaves(fleet, subject, 'timedOut', 'the deadline passed')
}
