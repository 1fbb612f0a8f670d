import { EventQueue, IndexedEventQueue, RandomStream, type Time, toSeconds } from '@windtunnel/des'
import { type Ending, emptyDraft, type RequestDraft } from '@windtunnel/workload'
import type { EngineContext } from '../engines/engine.ts'
import { type Facts, SilentObserver } from '../observer.ts'
import { RequestTable } from '../requests.ts'
import type { Choose } from '../routers/index.ts'
import type { Scheduler } from '../schedulers/index.ts'
import { FairLinks } from '../transfer/fairLinks.ts'
import type { Links } from '../transfer/links.ts'
import { SerialLinks } from '../transfer/serialLinks.ts'
import { Candidates } from './candidates.ts'
import { Deliveries } from './deliveries.ts'
import { AFTER_ALL } from './eventKinds.ts'
import type { Replica } from './replica.ts'
import type { SimulationConfig, TransferConfig } from './simulationConfig.ts'
import type { SlowedCost } from './slowedCost.ts'

/** What the engine of a replica is told, and its cost, which changes while the replica is slow. */
export type EngineSurroundings = { -readonly [Key in 'cost']: EngineContext[Key] } & Omit<EngineContext, 'cost'>

/** All that a fleet remembers. The functions beside this file change it, each file one part of the rules. */
export class FleetState {
  readonly config: SimulationConfig
  readonly facts: Facts = { observer: new SilentObserver(), steps: false, chunks: false }
  readonly table = new RequestTable()
  readonly replicas: Replica[] = []
  readonly disaggregated: boolean
  /** Endings change nothing of the traffic. */
  readonly openSource: boolean
  readonly links: Links | undefined
  arrived = 0
  readonly endings: Record<Ending, number> = { completed: 0, rejected: 0, failed: 0, cancelled: 0, timedOut: 0 }

  // Choices.
  readonly arrivalCandidates: Candidates
  readonly generateCandidates: Candidates
  choose: Choose
  chooseGenerate: Choose
  /** Set by a command, for replicas that are added later too. */
  scheduler: Scheduler | undefined
  /** By replica. */
  readonly surroundings: EngineSurroundings[] = []
  /** Costs of the replicas that are slow now, by number. */
  readonly slowed = new Map<number, SlowedCost>()

  // Time and what is to happen.
  readonly now: Time = { seconds: 0, ticks: 0 }
  /** The next event of every engine, by replica. */
  readonly engineEvents = new IndexedEventQueue(1)
  /** Requests on their way from a front end to its engine. */
  readonly deliveries = new Deliveries()
  readonly timers = new EventQueue()
  /** The first event that is no engine's, once it is known (or the end of the run): its time, its queue, its place in ORDER. */
  readonly outside: Time = { seconds: 0, ticks: 0 }
  outsideWhat = 0
  outsideOrder = AFTER_ALL
  outsideKnown = false
  /** The next arrival when it was last looked at, and whether it is the same since; at Infinity when none was known. */
  readonly arrival: Time = { seconds: 0, ticks: 0 }
  arrivalPending = false
  arrivalKnown = false
  /** Something an engine did may have caused events outside of its replica. */
  stirred = false
  /** An engine composes: what its endings cause comes a tick later, when all that compose at this instant have done so. */
  composing = false

  // Reused, so that no event allocates.
  readonly draft: RequestDraft = emptyDraft()
  readonly next: Time = { seconds: 0, ticks: 0 }
  readonly probe: Time = { seconds: 0, ticks: 0 }
  readonly told: Time = { seconds: 0, ticks: 0 }
  readonly look: Time = { seconds: 0, ticks: 0 }

  /** Throws when pools and transfer contradict each other. */
  constructor(config: SimulationConfig) {
    this.config = config
    const has = (role: string): boolean => config.pools.some((pool) => pool.role === role)
    this.disaggregated = has('prefill')
    if (this.disaggregated !== has('generate'))
      throw new Error('a prefill pool needs a generate pool, and the other way round')
    if (this.disaggregated && config.transfer === undefined)
      throw new Error('prefill and generate pools need a transfer link')
    const { tree, open = false } = config.source
    this.openSource = open
    const { replicas, table, now } = this
    table.transfers = this.disaggregated
    this.arrivalCandidates = new Candidates(replicas, this.disaggregated ? 'prefill' : 'both', tree, table, now)
    this.generateCandidates = new Candidates(replicas, 'generate', tree, table, now)
    this.choose = config.router.start(new RandomStream(config.seed, 'router'))
    this.chooseGenerate = (config.generateRouter ?? config.router).start(
      new RandomStream(config.seed, 'generate router'),
    )
    this.links = config.transfer === undefined ? undefined : this.linksOf(config.transfer)
  }

  private linksOf(transfer: TransferConfig): Links {
    if (transfer.sharing !== 'fair' && transfer.overlap === 'layers') {
      throw new Error(
        'transfer: overlap layers needs sharing fair: a link that carries one cache at a time would wait for prefills',
      )
    }
    const links = transfer.sharing === 'fair' ? new FairLinks(transfer) : new SerialLinks(transfer)
    const { table, facts } = this
    links.onStart = (slot, source, bytes, time) =>
      facts.observer.transferStarted(table.id[slot]!, toSeconds(time), source, table.targetReplica[slot]!, bytes)
    return links
  }
}
