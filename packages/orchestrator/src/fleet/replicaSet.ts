import { addSeconds, compareTime, copyTime, toSeconds } from '@windtunnel/des'
import type { Engine, EngineContext } from '../engines/engine.ts'
import { CommandError } from './commandError.ts'
import { endNow, finished } from './endings.ts'
import type { EngineSurroundings, FleetState } from './fleetState.ts'
import { computing, handOver } from './handOver.ts'
import { Replica } from './replica.ts'
import { refreshCandidates, setState } from './replicaStates.ts'
import type { PoolConfig } from './simulationConfig.ts'
import { TIMER } from './timers.ts'
import { dropTarget } from './transferRoom.ts'

export const addReplica = (fleet: FleetState, pool: PoolConfig, state: 'up' | 'starting'): Replica => {
  const index = fleet.replicas.length
  const engine = engineFor(fleet, pool, index)
  if (pool.role !== 'both') checkTransfer(fleet, pool, engine)
  const replica = new Replica(index, pool, engine, state)
  replica.addedAt = toSeconds(fleet.now)
  fleet.replicas.push(replica)
  fleet.engineEvents.grow(fleet.replicas.length)
  return replica
}

export const engineFor = (fleet: FleetState, pool: PoolConfig, index: number): Engine => {
  const context: EngineSurroundings = {
    replica: index,
    table: fleet.table,
    tree: fleet.config.source.tree,
    cost: fleet.slowed.get(index) ?? pool.cost,
    attentionWindowTokens: pool.attentionWindowTokens,
    scheduler: fleet.scheduler ?? pool.scheduler,
    prefillOnly: pool.role === 'prefill',
    firstToken: fleet.config.transfer?.firstToken,
    ...(pool.role === 'prefill' && fleet.config.transfer?.overlap === 'layers' ? streaming(fleet) : {}),
    facts: fleet.facts,
    finished: (slot) => finished(fleet, slot),
    failed: (slot, _time, reason) => endNow(fleet, slot, 'failed', reason),
    prefilled: (slot) => handOver(fleet, slot),
  }
  fleet.surroundings[index] = context
  return pool.createEngine(context)
}

/** What a prefill engine tells while caches travel layer by layer. */
const streaming = (fleet: FleetState): Pick<EngineContext, 'computing' | 'preempted'> => ({
  computing: (slot, tokens) => computing(fleet, slot, tokens),
  preempted: (slot) => {
    fleet.table.sendableTokens[slot] = 0
    if (fleet.table.targetReplica[slot] !== -1) dropTarget(fleet, slot)
  },
})

export const checkTransfer = (fleet: FleetState, pool: PoolConfig, engine: Engine): void => {
  const { overlap = 'whole', firstToken = 'prefill' } = fleet.config.transfer ?? {}
  if (engine.streamsPrefill === true || (overlap === 'whole' && firstToken === 'prefill')) return
  throw new Error(
    `the engine of pool ${pool.name} sends whole caches after the first token only; transfer asks for overlap ${overlap} and firstToken ${firstToken}`,
  )
}

export const startReplica = (fleet: FleetState, poolName: string): void => {
  const pool = fleet.config.pools.find((one) => one.name === poolName)
  if (pool === undefined) {
    throw new CommandError(
      `unknown pool "${poolName}"; there are: ${fleet.config.pools.map((one) => one.name).join(', ')}`,
    )
  }
  const replica = addReplica(fleet, pool, pool.startUpSeconds > 0 ? 'starting' : 'up')
  if (replica.state === 'starting') startLater(fleet, replica, pool.startUpSeconds)
  refreshCandidates(fleet)
}

export const startLater = (fleet: FleetState, replica: Replica, seconds: number): void => {
  const at = copyTime(fleet.probe, fleet.now)
  addSeconds(at, seconds)
  if (compareTime(at, replica.backAt) > 0) copyTime(replica.backAt, at)
  fleet.timers.push(at.seconds, at.ticks, TIMER.startUp, 0, replica.index)
}

export const replicaFor = (fleet: FleetState, index: number): Replica => {
  const replica = fleet.replicas[index]
  if (replica === undefined || replica.state === 'down') {
    throw new CommandError(
      `no replica ${index} is up; the fleet has ${fleet.replicas
        .filter((one) => one.state !== 'down')
        .map((one) => one.index)
        .join(', ')}`,
    )
  }
  return replica
}

export const drainReplica = (fleet: FleetState, replica: Replica): void => {
  if (replica.state === 'draining') throw new CommandError(`replica ${replica.index} is already draining`)
  setState(fleet, replica, replica.outstandingRequests + replica.sending === 0 ? 'down' : 'draining')
}
