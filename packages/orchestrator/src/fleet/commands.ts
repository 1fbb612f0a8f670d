import { addTicks, compareTime, RandomStream, type Time } from '@windtunnel/des'
import type { MixableSource, SteerableSource } from '@windtunnel/workload'
import type { Engine } from '../engines/engine.ts'
import { ORDER } from '../engines/engine.ts'
import { routers as allRouters } from '../routers/index.ts'
import type { Scheduler } from '../schedulers/index.ts'
import { schedulers as allSchedulers } from '../schedulers/index.ts'
import type { Command } from '../simulation.ts'
import { findNext, refreshEvent } from './agenda.ts'
import { CommandError } from './commandError.ts'
import { ENGINE, NOTHING, TRANSFER } from './eventKinds.ts'
import { handleOutside, runEngine } from './eventLoop.ts'
import { killReplica } from './faults.ts'
import type { FleetState } from './fleetState.ts'
import { drainReplica, replicaFor, startReplica } from './replicaSet.ts'

/** Something a person changes takes effect now. Throws a CommandError when it cannot. */
export const applyCommand = (fleet: FleetState, command: Command): void => {
  leaveInstant(fleet)
  switch (command.kind) {
    case 'rate':
      return setRate(fleet, command.requestsPerSecond)
    case 'mix':
      return setMix(fleet, command)
    case 'router': {
      const router = (fleet.config.routers ?? allRouters).get(command.name)
      if (router === undefined)
        throw new CommandError(
          `unknown router "${command.name}"; there are: ${names(fleet.config.routers ?? allRouters)}`,
        )
      fleet.arrivalCandidates.servedBy(router)
      fleet.generateCandidates.servedBy(router)
      fleet.choose = router.start(new RandomStream(fleet.config.seed, 'router'))
      fleet.chooseGenerate = router.start(new RandomStream(fleet.config.seed, 'generate router'))
      return
    }
    case 'scheduler': {
      const scheduler = (fleet.config.schedulers ?? allSchedulers).get(command.name)
      if (scheduler === undefined) {
        throw new CommandError(
          `unknown scheduler "${command.name}"; there are: ${names(fleet.config.schedulers ?? allSchedulers)}`,
        )
      }
      for (const replica of fleet.replicas) {
        // The queue of a dead replica names table slots that are others' by now.
        if (replica.state === 'down') continue
        setScheduler(replica.engine, scheduler, fleet.now)
        refreshEvent(fleet, replica)
      }
      fleet.scheduler = scheduler
      return
    }
    case 'addReplica':
      return startReplica(fleet, command.pool)
    case 'removeReplica':
      return drainReplica(fleet, replicaFor(fleet, command.replica))
    case 'killReplica':
      return killReplica(fleet, replicaFor(fleet, command.replica))
  }
}

/**
 * When all of this instant has happened, what a command causes comes a tick later: steps composed now know nothing of it.
 * Steps and transfers that end at that tick end before it.
 */
export const leaveInstant = (fleet: FleetState): void => {
  const now = fleet.now
  const pending = (): number => {
    const what = findNext(fleet, fleet.next)
    return what === NOTHING || compareTime(fleet.next, now) > 0 ? NOTHING : what
  }
  if (pending() !== NOTHING) return
  addTicks(now, 1)
  for (let what = pending(); what === ENGINE || what === TRANSFER; what = pending()) {
    if (what === TRANSFER) handleOutside(fleet, what)
    else if (fleet.engineEvents.orderOf(fleet.engineEvents.first) < ORDER.command) runEngine(fleet, 1)
    else return
  }
}

export const setRate = (fleet: FleetState, requestsPerSecond: number): void => {
  const source = fleet.config.source as Partial<SteerableSource>
  if (source.setRate === undefined)
    throw new CommandError('this traffic has no arrival rate to change: it is replayed as recorded')
  if (!(requestsPerSecond > 0 && requestsPerSecond < 1e9)) {
    throw new CommandError(`arrival rate ${requestsPerSecond} req/s: expected a number above 0 and below 1e9`)
  }
  source.setRate(requestsPerSecond, fleet.now)
}

export const setMix = (fleet: FleetState, { kind: _, ...change }: Extract<Command, { kind: 'mix' }>): void => {
  const source = fleet.config.source as Partial<MixableSource>
  if (source.setMix === undefined) throw new CommandError('this traffic has no mix to change')
  source.setMix(change, fleet.now)
}

/** An engine that cannot order its queue so refuses in words for the user. */
const setScheduler = (engine: Engine, scheduler: Scheduler, now: Time): void => {
  try {
    engine.setScheduler(scheduler, now)
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(error.message) : error
  }
}

const names = (registry: ReadonlyMap<string, unknown>): string => [...registry.keys()].join(', ')
