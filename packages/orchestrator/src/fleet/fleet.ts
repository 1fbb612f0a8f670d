import type { Time } from '@windtunnel/des'
import { toSeconds } from '@windtunnel/des'
import { hears, type Observer } from '../observer.ts'
import type { DecisionListener } from '../routers/index.ts'
import type { Command, Simulation, SimulationView } from '../simulation.ts'
import { findNext } from './agenda.ts'
import { applyCommand } from './commands.ts'
import { NOTHING } from './eventKinds.ts'
import { runUntil } from './eventLoop.ts'
import { FanOut } from './fanOut.ts'
import { planOutages } from './faults.ts'
import { FleetState } from './fleetState.ts'
import { addReplica } from './replicaSet.ts'
import { refreshCandidates } from './replicaStates.ts'
import type { SimulationConfig } from './simulationConfig.ts'
import { planPaces } from './stragglers.ts'

/**
 * The serving system: traffic, router, replicas and transfers on one clock. It decides nothing about batches (engines do)
 * and nothing about placement (routers do); it keeps the order of events and every request's one ending.
 */
export class Fleet implements Simulation {
  private readonly state: FleetState
  private readonly observers: Observer[] = []

  constructor(config: SimulationConfig) {
    const fleet = new FleetState(config)
    this.state = fleet
    planPaces(fleet)
    for (const pool of config.pools) for (let i = 0; i < pool.replicas; i++) addReplica(fleet, pool, 'up')
    fleet.arrivalCandidates.servedBy(config.router)
    fleet.generateCandidates.servedBy(config.generateRouter ?? config.router)
    refreshCandidates(fleet)
    planOutages(fleet)
  }

  now(): Time {
    return this.state.now
  }

  observe(observer: Observer): void {
    const { facts } = this.state
    this.observers.push(observer)
    facts.observer = this.observers.length === 1 ? observer : new FanOut([...this.observers])
    facts.steps ||= hears(observer, 'stepped')
    facts.chunks ||= hears(observer, 'prefillChunk')
  }

  traceDecisions(listener: DecisionListener): void {
    this.state.arrivalCandidates.listen(listener)
    this.state.generateCandidates.listen(listener)
  }

  nextEventAt(into: Time): boolean {
    return findNext(this.state, into) !== NOTHING
  }

  runUntil(until: Time, maxEvents: number): number {
    return runUntil(this.state, until, maxEvents)
  }

  view(): SimulationView {
    const fleet = this.state
    const { completed, rejected, failed, cancelled, timedOut } = fleet.endings
    return {
      time: toSeconds(fleet.now),
      arrived: fleet.arrived,
      completed,
      rejected,
      failed,
      cancelled,
      timedOut,
      replicas: fleet.replicas.map((replica) => replica.view(fleet.now)),
      links: fleet.links?.view(fleet.now) ?? [],
    }
  }

  serverMetrics() {
    return this.state.replicas.flatMap(({ index, engine, state }) => {
      const page = state === 'down' ? undefined : engine.serverMetrics?.(this.state.now)
      return page === undefined ? [] : [{ replica: index, page }]
    })
  }

  /** When nothing is pending although requests are alive: which request waits, and for what. */
  stuck(): string | undefined {
    const fleet = this.state
    if (fleet.table.live === 0 || findNext(fleet, fleet.probe) !== NOTHING) return undefined
    for (const replica of fleet.replicas) {
      const slot = replica.incoming[0]
      if (slot !== undefined)
        return `no progress: request ${fleet.table.id[slot]} waits for room on replica ${replica.index}`
      if (replica.engine.waiting > 0) return `no progress on replica ${replica.index}: ${replica.engine.stuckReason()}`
    }
    return `no progress: ${fleet.table.live} requests are alive and nothing is pending`
  }

  apply(command: Command): void {
    applyCommand(this.state, command)
  }
}
