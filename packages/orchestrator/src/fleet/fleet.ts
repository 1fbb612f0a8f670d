import type { StepCost } from '@windtunnel/cost'
import {
  addSeconds,
  addTicks,
  compareTime,
  copyTime,
  EventQueue,
  IndexedEventQueue,
  RandomStream,
  type Time,
  ticksFromSeconds,
  toSeconds,
} from '@windtunnel/des'
import {
  type Ending,
  emptyDraft,
  type MixableSource,
  type RequestDraft,
  type SteerableSource,
} from '@windtunnel/workload'
import { type Engine, type EngineContext, ORDER } from '../engines/engine.ts'
import { type Facts, hears, type Observer, SilentObserver } from '../observer.ts'
import { NO_SLOT, PHASE, RequestTable } from '../requests.ts'
import { routers as allRouters, type Choose, type DecisionListener } from '../routers/index.ts'
import { schedulers as allSchedulers, type Scheduler } from '../schedulers/index.ts'
import type { Command, Simulation, SimulationView } from '../simulation.ts'
import { FairLinks } from '../transfer/fairLinks.ts'
import type { Links } from '../transfer/links.ts'
import { SerialLinks } from '../transfer/serialLinks.ts'
import { Candidates } from './candidates.ts'
import { CommandError } from './commandError.ts'
import { FanOut } from './fanOut.ts'
import { Replica } from './replica.ts'
import type { Outage, PoolConfig, SimulationConfig, Straggler, TransferConfig } from './simulationConfig.ts'
import { SlowedCost } from './slowedCost.ts'

const TIMER = { cancel: 0, timeout: 1, startUp: 2, outage: 3, pace: 4 } as const

/**
 * The serving system: traffic, router, replicas and transfers on one clock. It decides nothing about batches (engines do)
 * and nothing about placement (routers do); it keeps the order of events and every request's one ending.
 */
export class Fleet implements Simulation {
  readonly #config: SimulationConfig
  readonly #table = new RequestTable()
  readonly #replicas: Replica[] = []
  readonly #engineEvents = new IndexedEventQueue(8)
  readonly #deliveries = new EventQueue()
  readonly #timers = new EventQueue()
  readonly #links: Links | undefined
  readonly #arrivalCandidates: Candidates
  readonly #generateCandidates: Candidates
  readonly #facts: Facts = { observer: new SilentObserver(), steps: false, chunks: false }
  readonly #observers: Observer[] = []
  readonly #draft: RequestDraft = emptyDraft()
  readonly #now: Time = { seconds: 0, ticks: 0 }
  readonly #next: Time = { seconds: 0, ticks: 0 }
  readonly #probe: Time = { seconds: 0, ticks: 0 }
  readonly #horizon: Time = { seconds: 0, ticks: 0 }
  /** The first event that is no engine's, once it is known: its time, its queue, its place in ORDER. */
  readonly #outside: Time = { seconds: 0, ticks: 0 }
  #outsideWhat = 0
  #outsideOrder = AFTER_ALL
  #outsideKnown = false
  /** An engine composes: what its endings cause comes a tick later, when all that compose at this instant have done so. */
  #composing = false
  readonly #told: Time = { seconds: 0, ticks: 0 }
  /** The next arrival when it was last looked at. */
  readonly #arrival: Time = { seconds: 0, ticks: 0 }
  #arrivalPending = false
  readonly #look: Time = { seconds: 0, ticks: 0 }
  /** Something an engine did may have caused events outside of its replica. */
  #stirred = false
  readonly #disaggregated: boolean
  /** Costs of the replicas that are slow now, by number. */
  readonly #slowed = new Map<number, SlowedCost>()
  #choose: Choose
  /** Set by a command, for replicas that are added later too. */
  #scheduler: Scheduler | undefined
  #chooseGenerate: Choose
  #arrived = 0
  readonly #endings: Record<Ending, number> = { completed: 0, rejected: 0, failed: 0, cancelled: 0, timedOut: 0 }

  /** What a prefill engine tells while caches travel layer by layer. */
  readonly #streaming: Pick<EngineContext, 'computing' | 'preempted'> = {
    computing: (slot, tokens) => this.#computing(slot, tokens),
    preempted: (slot) => {
      this.#table.sendableTokens[slot] = 0
      if (this.#table.targetReplica[slot] !== -1) this.#dropTarget(slot)
    },
  }

  constructor(config: SimulationConfig) {
    this.#config = config
    const has = (role: string): boolean => config.pools.some((pool) => pool.role === role)
    this.#disaggregated = has('prefill')
    if (this.#disaggregated !== has('generate'))
      throw new Error('a prefill pool needs a generate pool, and the other way round')
    if (this.#disaggregated && config.transfer === undefined)
      throw new Error('prefill and generate pools need a transfer link')
    this.#arrivalCandidates = new Candidates(
      this.#replicas,
      this.#disaggregated ? 'prefill' : 'both',
      config.source.tree,
    )
    this.#generateCandidates = new Candidates(this.#replicas, 'generate', config.source.tree)
    this.#planPaces()
    for (const pool of config.pools) for (let i = 0; i < pool.replicas; i++) this.#addReplica(pool, 'up')
    this.#arrivalCandidates.servedBy(config.router)
    this.#generateCandidates.servedBy(config.generateRouter ?? config.router)
    this.#refreshCandidates()
    this.#planOutages()
    this.#choose = config.router.start(new RandomStream(config.seed, 'router'))
    this.#chooseGenerate = (config.generateRouter ?? config.router).start(
      new RandomStream(config.seed, 'generate router'),
    )
    if (config.transfer !== undefined) {
      this.#links = linksOf(config.transfer)
      this.#links.onStart = (slot, source, bytes, time) =>
        this.#facts.observer.transferStarted(
          this.#table.id[slot]!,
          toSeconds(time),
          source,
          this.#table.targetReplica[slot]!,
          bytes,
        )
    }
  }

  now(): Time {
    return this.#now
  }

  observe(observer: Observer): void {
    this.#observers.push(observer)
    this.#facts.observer = this.#observers.length === 1 ? observer : new FanOut([...this.#observers])
    this.#facts.steps ||= hears(observer, 'stepped')
    this.#facts.chunks ||= hears(observer, 'prefillChunk')
  }

  traceDecisions(listener: DecisionListener): void {
    this.#arrivalCandidates.listen(listener)
    this.#generateCandidates.listen(listener)
  }

  nextEventAt(into: Time): boolean {
    return this.#findNext(into) !== NOTHING
  }

  runUntil(until: Time, maxEvents: number): number {
    let handled = 0
    this.#outsideKnown = false
    for (;;) {
      const what = this.#findFirst(this.#next)
      if (what === NOTHING || compareTime(this.#next, until) > 0) {
        if (until.seconds < FAR_SECONDS && compareTime(until, this.#now) > 0) copyTime(this.#now, until)
        return handled
      }
      if (handled >= maxEvents) return handled
      copyTime(this.#now, this.#next)
      if (what === ENGINE) handled += this.#runEngine(until, maxEvents - handled)
      else {
        this.#handle(what)
        this.#outsideKnown = false
        handled += 1
      }
    }
  }

  /**
   * Handles the engine event that is due, and those of the same engine that follow before anything else could happen:
   * before every other pending event, and as long as nothing it does reaches beyond its replica. Returns how many.
   */
  #runEngine(until: Time, maxEvents: number): number {
    const queue = this.#engineEvents
    const index = queue.first
    const replica = this.#replicas[index]!
    const { engine } = replica
    const second = queue.second
    let horizonOrder = this.#findOther(this.#horizon, second)
    if (compareTime(until, this.#horizon) < 0) {
      copyTime(this.#horizon, until)
      horizonOrder = AFTER_ALL
    }
    const { seconds, ticks } = this.#horizon
    // At the horizon itself the engine with the smaller number comes first.
    const last = second === undefined || index < second ? 0 : -1
    const next = this.#next
    this.#composing = queue.orderOf(index) === ORDER.compose
    this.#stirred = false
    this.#outsideKnown = false
    for (let handled = 1; ; handled++) {
      engine.handle(this.#now)
      this.#composing = false
      if (replica.incoming.length > 0) this.#reserveIncoming(replica)
      const order = replica.state === 'down' ? undefined : engine.nextEvent(next)
      if (order === undefined) {
        queue.remove(index)
        this.#outsideKnown = !this.#stirred
        return handled
      }
      const ahead = next.seconds - seconds || next.ticks - ticks || order - horizonOrder
      if (this.#stirred || handled >= maxEvents || ahead > last) {
        queue.set(index, next.seconds, next.ticks, order)
        this.#outsideKnown = !this.#stirred
        return handled
      }
      copyTime(this.#now, next)
      this.#composing = order === ORDER.compose
    }
  }

  /** Writes the time of the first event that is not of the first engine into `into`; returns its place in ORDER. */
  #findOther(into: Time, second: number | undefined): number {
    copyTime(into, this.#outside)
    if (second === undefined) return this.#outsideOrder
    const order = this.#engineEvents.orderOf(second)
    this.#engineEvents.timeOf(second, this.#probe)
    return this.#earlier(into, this.#outsideWhat, order, this.#outsideOrder) ? order : this.#outsideOrder
  }

  view(): SimulationView {
    const { completed, rejected, failed, cancelled, timedOut } = this.#endings
    return {
      time: toSeconds(this.#now),
      arrived: this.#arrived,
      completed,
      rejected,
      failed,
      cancelled,
      timedOut,
      replicas: this.#replicas.map((replica) => replica.view(this.#now)),
      links: this.#links?.view(this.#now) ?? [],
    }
  }

  serverMetrics() {
    return this.#replicas.flatMap(({ index, engine, state }) => {
      const page = state === 'down' ? undefined : engine.serverMetrics?.(this.#now)
      return page === undefined ? [] : [{ replica: index, page }]
    })
  }

  /** When nothing is pending although requests are alive: which request waits, and for what. */
  stuck(): string | undefined {
    if (this.#table.live === 0 || this.#findNext(this.#probe) !== NOTHING) return undefined
    for (const replica of this.#replicas) {
      const slot = replica.incoming[0]
      if (slot !== undefined)
        return `no progress: request ${this.#table.id[slot]} waits for room on replica ${replica.index}`
      if (replica.engine.waiting > 0) return `no progress on replica ${replica.index}: ${replica.engine.stuckReason()}`
    }
    return `no progress: ${this.#table.live} requests are alive and nothing is pending`
  }

  apply(command: Command): void {
    this.#leaveInstant()
    switch (command.kind) {
      case 'rate':
        return this.#setRate(command.requestsPerSecond)
      case 'mix':
        return this.#setMix(command)
      case 'router': {
        const router = (this.#config.routers ?? allRouters).get(command.name)
        if (router === undefined)
          throw new CommandError(
            `unknown router "${command.name}"; there are: ${names(this.#config.routers ?? allRouters)}`,
          )
        this.#arrivalCandidates.servedBy(router)
        this.#generateCandidates.servedBy(router)
        this.#choose = router.start(new RandomStream(this.#config.seed, 'router'))
        this.#chooseGenerate = router.start(new RandomStream(this.#config.seed, 'generate router'))
        return
      }
      case 'scheduler': {
        const scheduler = (this.#config.schedulers ?? allSchedulers).get(command.name)
        if (scheduler === undefined) {
          throw new CommandError(
            `unknown scheduler "${command.name}"; there are: ${names(this.#config.schedulers ?? allSchedulers)}`,
          )
        }
        for (const replica of this.#replicas) {
          // The queue of a dead replica names table slots that are others' by now.
          if (replica.state === 'down') continue
          setScheduler(replica.engine, scheduler, this.#now)
          this.#refresh(replica)
        }
        this.#scheduler = scheduler
        return
      }
      case 'addReplica':
        return this.#startReplica(command.pool)
      case 'removeReplica':
        return this.#drain(this.#replicaFor(command.replica))
      case 'killReplica':
        return this.#kill(this.#replicaFor(command.replica))
    }
  }

  /**
   * When all of this instant has happened, what a command causes comes a tick later: steps composed now know nothing of it.
   * Steps and transfers that end at that tick end before it.
   */
  #leaveInstant(): void {
    const now = this.#now
    const pending = (): number => {
      const what = this.#findNext(this.#next)
      return what === NOTHING || compareTime(this.#next, now) > 0 ? NOTHING : what
    }
    if (pending() !== NOTHING) return
    addTicks(now, 1)
    for (let what = pending(); what === ENGINE || what === TRANSFER; what = pending()) {
      if (what === TRANSFER) this.#handle(what)
      else if (this.#engineEvents.orderOf(this.#engineEvents.first) < ORDER.command) this.#runEngine(now, 1)
      else return
    }
  }

  // ---- events --------------------------------------------------------------------------------------------------------

  /** Finds the first event, writes its time into `into`, and says which queue it is in. */
  #findNext(into: Time): number {
    this.#outsideKnown = false
    return this.#findFirst(into)
  }

  /** The same, relying on what is known of the events that are no engine's. */
  #findFirst(into: Time): number {
    if (!this.#outsideKnown) this.#lookOutside()
    copyTime(into, this.#outside)
    const queue = this.#engineEvents
    if (queue.size === 0) return this.#outsideWhat
    queue.peek(this.#probe)
    const order = queue.orderOf(queue.first)
    return this.#earlier(into, this.#outsideWhat, order, this.#outsideOrder) ? ENGINE : this.#outsideWhat
  }

  /** Finds the first event that is no engine's. */
  #lookOutside(): void {
    const outside = this.#outside
    let what = NOTHING
    let order = AFTER_ALL
    outside.seconds = Number.POSITIVE_INFINITY
    outside.ticks = 0
    if (this.#links?.nextEvent(this.#probe) === true && this.#earlier(outside, what, ORDER.transferEnd, order)) {
      what = TRANSFER
      order = ORDER.transferEnd
    }
    if (this.#timers.size > 0 && this.#timers.peek(this.#probe) && this.#earlier(outside, what, ORDER.command, order)) {
      what = TIMERS
      order = ORDER.command
    }
    if (
      this.#deliveries.size > 0 &&
      this.#deliveries.peek(this.#probe) &&
      this.#earlier(outside, what, ORDER.arrival, order)
    ) {
      what = DELIVERY
      order = ORDER.arrival
    }
    this.#arrivalPending = this.#config.source.peek(this.#probe)
    if (this.#arrivalPending) copyTime(this.#arrival, this.#probe)
    if (this.#arrivalPending && this.#earlier(outside, what, ORDER.arrival, order)) {
      what = ARRIVAL
      order = ORDER.arrival
    }
    this.#outsideWhat = what
    this.#outsideOrder = order
    this.#outsideKnown = true
  }

  /** Whether the event at `#probe` with `order` comes before the best so far; if so its time is written into `into`. */
  #earlier(into: Time, what: number, order: number, bestOrder: number): boolean {
    if (what !== NOTHING) {
      const difference = compareTime(this.#probe, into)
      if (difference > 0 || (difference === 0 && order >= bestOrder)) return false
    }
    copyTime(into, this.#probe)
    return true
  }

  #handle(what: number): void {
    switch (what) {
      case ARRIVAL:
        return this.#arrive()
      case DELIVERY: {
        const slot = this.#deliveries.subject
        this.#deliveries.pop()
        return this.#deliver(slot)
      }
      case TRANSFER:
        return this.#endTransfer(this.#links!.handle(this.#now))
      case TIMERS:
        return this.#ring()
    }
  }

  #refresh(replica: Replica): void {
    const order = replica.state === 'down' ? undefined : replica.engine.nextEvent(this.#probe)
    if (order === undefined) this.#engineEvents.remove(replica.index)
    else this.#engineEvents.set(replica.index, this.#probe.seconds, this.#probe.ticks, order)
  }

  // ---- arrivals ------------------------------------------------------------------------------------------------------

  #arrive(): void {
    const draft = this.#draft
    this.#config.source.take(draft)
    const table = this.#table
    const id = this.#arrived++
    const slot = table.add(draft, id)
    const time = toSeconds(this.#now)
    const due = this.#config.firstTokenDueSeconds?.[draft.serviceClass]
    if (due !== undefined) table.deadlineSeconds[slot] = Math.min(table.deadlineSeconds[slot]!, time + due)
    this.#facts.observer.arrived(
      id,
      time,
      draft.inputTokens,
      table.outputTokens[slot]!,
      draft.serviceClass,
      draft.tenant,
    )
    if (draft.cancelAfterSeconds < Number.POSITIVE_INFINITY)
      this.#setTimer(slot, TIMER.cancel, draft.cancelAfterSeconds)
    if (draft.timeoutSeconds < Number.POSITIVE_INFINITY) this.#setTimer(slot, TIMER.timeout, draft.timeoutSeconds)
    if (this.#arrivalCandidates.count === 0) return this.#endNow(slot, 'rejected', 'no replica takes requests')
    this.#send(slot)
  }

  /** Routes the request, and sends it through the front end of its replica. */
  #send(slot: number): void {
    const table = this.#table
    const candidates = this.#arrivalCandidates
    const replica = this.#route(slot, candidates, this.#choose)
    const refusal = replica.engine.refuses(slot) ?? (this.#disaggregated ? this.#generateRefusal(slot) : undefined)
    if (refusal !== undefined) return this.#endNow(slot, 'rejected', refusal)
    const { latencySeconds, secondsPerPromptToken } = replica.pool.frontEnd
    if (latencySeconds === 0 && secondsPerPromptToken === 0) return this.#deliver(slot)
    const ready = replica.frontEndFree
    if (compareTime(ready, this.#now) < 0) copyTime(ready, this.#now)
    addTicks(ready, ticksFromSeconds(secondsPerPromptToken * table.inputTokens[slot]!))
    copyTime(this.#probe, ready)
    addTicks(this.#probe, ticksFromSeconds(latencySeconds))
    this.#deliveries.push(this.#probe.seconds, this.#probe.ticks, ORDER.arrival, table.generation[slot]!, slot)
  }

  #route(slot: number, candidates: Candidates, choose: Choose): Replica {
    const table = this.#table
    const request = candidates.request
    request.inputTokens = table.inputTokens[slot]!
    request.session = table.session[slot]!
    request.tenant = table.tenant[slot]!
    request.serviceClass = table.serviceClass[slot]!
    request.prompt = table.prompt[slot]!
    const replica = candidates.choose(choose, table.id[slot]!, this.#now)
    table.replica[slot] = replica.index
    replica.load(1, table.inputTokens[slot]! + table.maxTokens[slot]!)
    this.#facts.observer.routed(table.id[slot]!, toSeconds(this.#now), replica.index)
    return replica
  }

  /** A request that its generate replica could never hold is refused before it is prefilled. */
  #generateRefusal(slot: number): string | undefined {
    return this.#generateCandidates.count > 0
      ? this.#generateCandidates.at(0).engine.refuses(slot)
      : 'no replica generates'
  }

  #deliver(slot: number): void {
    const replica = this.#replicas[this.#table.replica[slot]!]!
    if (this.#table.clientLeft[slot] === 1) {
      this.#forget(slot)
      return
    }
    if (replica.state === 'down') return this.#sendAgain(slot, replica)
    if (compareTime(replica.backAt, this.#now) > 0) return this.#holdBack(slot, replica)
    replica.engine.enqueue(slot, this.#now)
    this.#refresh(replica)
  }

  // ---- transfers -----------------------------------------------------------------------------------------------------

  /** A prompt is computed: chooses where to generate, and asks for room there. */
  #handOver(slot: number): void {
    this.#stirred = true
    const table = this.#table
    const source = table.replica[slot]!
    table.sourceReplica[slot] = source
    this.#replicas[source]!.sending += 1
    this.#leaveReplica(slot)
    if (table.targetReplica[slot] !== -1 && table.clientLeft[slot] === 0) {
      table.replica[slot] = table.targetReplica[slot]!
      this.#links!.offer(slot, this.#sendableBytes(slot), this.#now)
      return
    }
    if (this.#table.clientLeft[slot] === 1 || this.#generateCandidates.count === 0) {
      this.#letGo(slot, this.#replicas[source]!)
      if (this.#table.clientLeft[slot] === 1) this.#forget(slot)
      else this.#endNow(slot, 'failed', 'no replica generates')
      return
    }
    this.#chooseTarget(slot)
    table.replica[slot] = table.targetReplica[slot]!
  }

  /** Chooses where to generate, and asks for room there. */
  #chooseTarget(slot: number): void {
    const table = this.#table
    const source = table.replica[slot]!
    const target = this.#route(slot, this.#generateCandidates, this.#chooseGenerate)
    table.replica[slot] = source
    table.targetReplica[slot] = target.index
    target.transferring += 1
    target.incoming.push(slot)
    this.#reserveIncoming(target)
    this.#refresh(target)
  }

  /** A step that begins now brings the prompt to `tokens` tokens: their KV may travel. */
  #computing(slot: number, tokens: number): void {
    this.#stirred = true
    const table = this.#table
    if (table.clientLeft[slot] === 1) return
    if (tokens > table.sendableTokens[slot]!) table.sendableTokens[slot] = tokens
    if (table.targetReplica[slot] !== -1) this.#links!.offer(slot, this.#sendableBytes(slot), this.#now)
    else if (this.#generateCandidates.count > 0) {
      table.sourceReplica[slot] = table.replica[slot]!
      this.#chooseTarget(slot)
    }
  }

  /** Bytes of the request's KV that may travel now: all when the prompt is complete, else all but the last layer of what is begun. */
  #sendableBytes(slot: number): number {
    const table = this.#table
    const { layers = 1 } = this.#config.transfer!
    const tokens = table.inputTokens[slot]!
    const all = this.#kvBytes(tokens)
    if (table.phase[slot] === PHASE.transferring) return all
    const missing = this.#kvBytes(tokens - Math.min(tokens, table.sendableTokens[slot]!))
    return ((all - missing) * (layers - 1)) / layers
  }

  #kvBytes(tokens: number): number {
    const { bytesPerToken, kvBytes } = this.#config.transfer!
    return kvBytes === undefined ? tokens * bytesPerToken : kvBytes(tokens)
  }

  /** Starts the transfers that fit on `target`, in order. */
  #reserveIncoming(target: Replica): void {
    this.#stirred = true
    while (target.incoming.length > 0 && target.state !== 'down') {
      const slot = target.incoming[0]!
      if (!target.engine.reserveIncoming(slot, this.#now)) return
      target.incoming.shift()
      const bytes = this.#kvBytes(this.#table.inputTokens[slot]!)
      const offered = this.#sendableBytes(slot)
      this.#links!.request(slot, this.#table.sourceReplica[slot]!, target.index, bytes, offered, this.#now)
    }
  }

  /** A transfer has ended; NO_SLOT where only shares of links have changed. */
  #endTransfer(slot: number): void {
    if (slot === NO_SLOT) return
    const table = this.#table
    const source = this.#replicas[table.sourceReplica[slot]!]!
    const target = this.#replicas[table.replica[slot]!]!
    this.#letGo(slot, source)
    target.transferring -= 1
    table.sourceReplica[slot] = -1
    table.targetReplica[slot] = -1
    if (table.clientLeft[slot] === 1) {
      target.engine.cancelIncoming(slot, this.#now)
      this.#forget(slot)
    } else {
      this.#facts.observer.transferred(table.id[slot]!, toSeconds(this.#now), source.index, target.index)
      target.engine.insert(slot, this.#now)
    }
    this.#reserveIncoming(target)
    this.#refresh(target)
  }

  // ---- endings -------------------------------------------------------------------------------------------------------

  /** The engine has dropped the request, done or abandoned. */
  #finished(slot: number): void {
    const table = this.#table
    if (table.clientLeft[slot] === 1) this.#forget(slot)
    else this.#endNow(slot, 'completed', '')
  }

  /** Tells the request's one ending and gives its slot back. */
  #endNow(slot: number, ending: Ending, reason: string): void {
    this.#tellEnding(slot, ending, this.#table.emitted[slot]!, reason)
    this.#forget(slot)
  }

  #tellEnding(slot: number, ending: Ending, outputTokens: number, reason: string): void {
    const table = this.#table
    this.#endings[ending] += 1
    this.#facts.observer.ended(table.id[slot]!, toSeconds(this.#now), ending, outputTokens, reason)
    const told = copyTime(this.#told, this.#now)
    if (this.#composing) addTicks(told, 1)
    this.#config.source.ended(table.tag[slot]!, ending, told)
    if (!this.#stirred) this.#stirred = this.#arrivalsChanged()
  }

  /** Whether the source has another next arrival than when the events outside of the engines were looked at. */
  #arrivalsChanged(): boolean {
    const pending = this.#config.source.peek(this.#look)
    return pending !== this.#arrivalPending || (pending && compareTime(this.#look, this.#arrival) !== 0)
  }

  #forget(slot: number): void {
    if (this.#table.targetReplica[slot] !== -1) this.#dropTarget(slot)
    this.#leaveReplica(slot)
    this.#table.remove(slot)
  }

  #leaveReplica(slot: number): void {
    const table = this.#table
    const replica = this.#replicas[table.replica[slot]!]
    if (replica === undefined) return
    table.replica[slot] = -1
    this.#release(slot, replica)
  }

  /** The replica no longer counts the request. */
  #release(slot: number, replica: Replica): void {
    const table = this.#table
    replica.load(-1, -table.inputTokens[slot]! - table.maxTokens[slot]!)
    this.#retire(replica)
  }

  /** The prefill side frees the KV of a request that has been handed over, or will not be. */
  #letGo(slot: number, source: Replica): void {
    source.engine.releaseTransferred(slot, this.#now)
    source.sending -= 1
    this.#retire(source)
    this.#refresh(source)
  }

  /** A draining replica is down when nothing is left there. */
  #retire(replica: Replica): void {
    if (replica.state === 'draining' && replica.outstandingRequests + replica.sending === 0)
      this.#setState(replica, 'down')
  }

  #setTimer(slot: number, kind: number, seconds: number): void {
    const at = copyTime(this.#probe, this.#now)
    addSeconds(at, seconds)
    this.#timers.push(at.seconds, at.ticks, kind, this.#table.generation[slot]! | 0, slot)
  }

  #ring(): void {
    const kind = this.#timers.order
    const subject = this.#timers.subject
    const generation = this.#timers.kind
    this.#timers.pop()
    if (kind === TIMER.outage) return this.#failForAWhile(this.#config.outages![subject]!)
    if (kind === TIMER.pace) return this.#setPace(this.#replicas[subject]!)
    if (kind === TIMER.startUp) {
      const replica = this.#replicas[subject]!
      if (replica.state === 'starting' && compareTime(replica.backAt, this.#now) <= 0) this.#setState(replica, 'up')
      return
    }
    const table = this.#table
    if ((table.generation[subject]! | 0) !== generation || table.clientLeft[subject] === 1) return
    if (kind === TIMER.cancel) this.#clientLeaves(subject, 'cancelled', 'the client left')
    else this.#clientLeaves(subject, 'timedOut', 'the deadline passed')
  }

  /** The ending is told at once; blocks come back at the engine's next step boundary, or when a transfer under way ends. */
  #clientLeaves(slot: number, ending: Ending, reason: string): void {
    const table = this.#table
    const replica = this.#replicas[table.replica[slot]!]!
    const phase = table.phase[slot]!
    const emitted = phase === PHASE.travelling ? 0 : replica.engine.emittedBy(slot, this.#now)
    this.#tellEnding(slot, ending, emitted, reason)
    table.clientLeft[slot] = 1
    if (phase === PHASE.travelling) return
    if (phase !== PHASE.transferring) replica.engine.abandon(slot, this.#now)
    else this.#abandonTransfer(slot, replica)
    this.#refresh(replica)
  }

  #abandonTransfer(slot: number, target: Replica): void {
    const source = this.#replicas[this.#table.sourceReplica[slot]!]!
    const waiting = target.incoming.indexOf(slot)
    if (waiting >= 0) target.incoming.splice(waiting, 1)
    else if (!this.#links!.cancel(slot, this.#now)) return
    else target.engine.cancelIncoming(slot, this.#now)
    this.#letGo(slot, source)
    target.transferring -= 1
    this.#table.targetReplica[slot] = -1
    this.#forget(slot)
    this.#reserveIncoming(target)
    this.#refresh(target)
  }

  /** The room kept on the generate side for a prompt that is still being computed is given back. */
  #dropTarget(slot: number): void {
    const table = this.#table
    const target = this.#replicas[table.targetReplica[slot]!]!
    const waiting = target.incoming.indexOf(slot)
    if (waiting >= 0) target.incoming.splice(waiting, 1)
    else {
      this.#links!.cancel(slot, this.#now)
      target.engine.cancelIncoming(slot, this.#now)
    }
    table.targetReplica[slot] = -1
    target.transferring -= 1
    this.#release(slot, target)
    this.#reserveIncoming(target)
    this.#refresh(target)
  }

  // ---- replicas ------------------------------------------------------------------------------------------------------

  #addReplica(pool: PoolConfig, state: 'up' | 'starting'): Replica {
    const index = this.#replicas.length
    const engine = this.#engineFor(pool, index)
    if (pool.role !== 'both') this.#checkTransfer(pool, engine)
    const replica = new Replica(index, pool, engine, state)
    replica.addedAt = toSeconds(this.#now)
    this.#replicas.push(replica)
    this.#engineEvents.grow(this.#replicas.length)
    return replica
  }

  #engineFor(pool: PoolConfig, index: number): Engine {
    const costNow = (): StepCost => this.#slowed.get(index) ?? pool.cost
    return pool.createEngine({
      replica: index,
      table: this.#table,
      tree: this.#config.source.tree,
      get cost() {
        return costNow()
      },
      attentionWindowTokens: pool.attentionWindowTokens,
      scheduler: this.#scheduler ?? pool.scheduler,
      prefillOnly: pool.role === 'prefill',
      firstToken: this.#config.transfer?.firstToken,
      ...(pool.role === 'prefill' && this.#config.transfer?.overlap === 'layers' ? this.#streaming : {}),
      facts: this.#facts,
      finished: (slot) => this.#finished(slot),
      failed: (slot, _time, reason) => this.#endNow(slot, 'failed', reason),
      prefilled: (slot) => this.#handOver(slot),
    })
  }

  #checkTransfer(pool: PoolConfig, engine: Engine): void {
    const { overlap = 'whole', firstToken = 'prefill' } = this.#config.transfer ?? {}
    if (engine.streamsPrefill === true || (overlap === 'whole' && firstToken === 'prefill')) return
    throw new Error(
      `the engine of pool ${pool.name} sends whole caches after the first token only; transfer asks for overlap ${overlap} and firstToken ${firstToken}`,
    )
  }

  #startReplica(poolName: string): void {
    const pool = this.#config.pools.find((one) => one.name === poolName)
    if (pool === undefined) {
      throw new CommandError(
        `unknown pool "${poolName}"; there are: ${this.#config.pools.map((one) => one.name).join(', ')}`,
      )
    }
    const replica = this.#addReplica(pool, pool.startUpSeconds > 0 ? 'starting' : 'up')
    if (replica.state === 'starting') this.#startLater(replica, pool.startUpSeconds)
    this.#refreshCandidates()
  }

  #startLater(replica: Replica, seconds: number): void {
    const at = copyTime(this.#probe, this.#now)
    addSeconds(at, seconds)
    if (compareTime(at, replica.backAt) > 0) copyTime(replica.backAt, at)
    this.#timers.push(at.seconds, at.ticks, TIMER.startUp, 0, replica.index)
  }

  #replicaFor(index: number): Replica {
    const replica = this.#replicas[index]
    if (replica === undefined || replica.state === 'down') {
      throw new CommandError(
        `no replica ${index} is up; the fleet has ${this.#replicas
          .filter((one) => one.state !== 'down')
          .map((one) => one.index)
          .join(', ')}`,
      )
    }
    return replica
  }

  #drain(replica: Replica): void {
    if (replica.state === 'draining') throw new CommandError(`replica ${replica.index} is already draining`)
    this.#setState(replica, replica.outstandingRequests + replica.sending === 0 ? 'down' : 'draining')
  }

  #planPaces(): void {
    const replicas = this.#config.pools.reduce((sum, pool) => sum + pool.replicas, 0)
    for (const [number, { replica, fromSeconds, untilSeconds, factor }] of this.#stragglers.entries()) {
      if (replica >= replicas) throw new Error(`straggler ${number}: the fleet has no replica ${replica} at the start`)
      if (!(factor > 0) || !(untilSeconds > fromSeconds))
        throw new Error(`straggler ${number}: expected a factor above 0 and an end after ${fromSeconds} s`)
      for (const seconds of [fromSeconds, untilSeconds]) {
        const at = addSeconds({ seconds: 0, ticks: 0 }, seconds)
        this.#timers.push(at.seconds, at.ticks, TIMER.pace, 0, replica)
      }
    }
  }

  get #stragglers(): readonly Straggler[] {
    return this.#config.stragglers ?? []
  }

  /** The replica is as slow as those of its stragglers say that have begun and not ended. */
  #setPace(replica: Replica): void {
    const { index, pool, engine, state } = replica
    const reached = (seconds: number): boolean =>
      compareTime(addSeconds({ seconds: 0, ticks: 0 }, seconds), this.#now) <= 0
    const factors = this.#stragglers
      .filter((one) => one.replica === index && reached(one.fromSeconds) && !reached(one.untilSeconds))
      .map(({ factor }) => factor)
    const factor = factors.length === 0 ? 1 : Math.max(...factors)
    if (factor === (this.#slowed.get(index)?.factor ?? 1)) return
    if (factor === 1) this.#slowed.delete(index)
    else this.#slowed.set(index, new SlowedCost(pool.cost, factor))
    if (state === 'down') return
    engine.costChanged(this.#now)
    this.#refresh(replica)
  }

  #planOutages(): void {
    for (const [number, { replica, atSeconds }] of (this.#config.outages ?? []).entries()) {
      if (this.#replicas[replica]?.pool.role !== 'both')
        throw new Error(`outage ${number}: replica ${replica} is none of the fleet that does both phases`)
      const at = addSeconds({ seconds: 0, ticks: 0 }, atSeconds)
      this.#timers.push(at.seconds, at.ticks, TIMER.outage, 0, number)
    }
  }

  /** The replica loses all it held; its requests stay with it, and start over when it is back. */
  #failForAWhile({ replica: index, downSeconds }: Outage): void {
    const replica = this.#replicas[index]!
    if (replica.state === 'down') return
    const table = this.#table
    replica.engine.report(this.#now)
    const lost: number[] = []
    for (let slot = 0; slot < table.capacity; slot++)
      if (table.replica[slot] === index && table.phase[slot]! > PHASE.travelling && table.phase[slot] !== PHASE.gone)
        lost.push(slot)
    lost.sort((a, b) => table.id[a]! - table.id[b]!)
    replica.renew(this.#engineFor(replica.pool, index))
    this.#engineEvents.remove(index)
    this.#arrivalCandidates.forgetCaches()
    this.#startLater(replica, downSeconds)
    for (const slot of lost) {
      table.restart(slot)
      this.#holdBack(slot, replica)
    }
    if (replica.state === 'up') this.#setState(replica, 'starting')
    else this.#refreshCandidates()
  }

  /** The request reaches the engine of its replica when that is back. */
  #holdBack(slot: number, { backAt }: Replica): void {
    this.#deliveries.push(backAt.seconds, backAt.ticks, ORDER.arrival, this.#table.generation[slot]!, slot)
  }

  /** The replica is lost with all it held. */
  #kill(replica: Replica): void {
    const table = this.#table
    this.#setState(replica, 'down')
    this.#engineEvents.remove(replica.index)
    const lost: number[] = []
    const coming: number[] = []
    for (let slot = 0; slot < table.capacity; slot++) {
      if (table.phase[slot] === PHASE.gone) continue
      if (table.replica[slot] === replica.index || table.sourceReplica[slot] === replica.index) lost.push(slot)
      else if (table.targetReplica[slot] === replica.index) coming.push(slot)
    }
    const byNumber = (a: number, b: number): number => table.id[a]! - table.id[b]!
    for (const slot of coming.sort(byNumber)) this.#dropTarget(slot)
    lost.sort(byNumber)
    for (const slot of lost) this.#lose(slot, replica)
  }

  /** A request loses its replica `dead`; on the other side of a transfer, its blocks come back. */
  #lose(slot: number, dead: Replica): void {
    const table = this.#table
    const again = table.clientLeft[slot] === 0 && table.retries[slot]! < (this.#config.retries ?? 0)
    if (table.phase[slot] === PHASE.travelling) {
      if (again) return
      if (table.clientLeft[slot] === 0) this.#tellEnding(slot, 'failed', 0, `replica ${dead.index} died`)
      table.clientLeft[slot] = 1
      return
    }
    if (table.phase[slot] === PHASE.transferring) {
      if (table.clientLeft[slot] === 0)
        this.#tellEnding(slot, 'failed', table.emitted[slot]!, `replica ${dead.index} died`)
      table.clientLeft[slot] = 1
      this.#abandonTransfer(slot, this.#replicas[table.replica[slot]!]!)
      return
    }
    const emitted = dead.engine.emittedBy(slot, this.#now)
    if (again && emitted === 0) return this.#sendAgain(slot, dead)
    if (table.clientLeft[slot] === 0) this.#tellEnding(slot, 'failed', emitted, `replica ${dead.index} died`)
    this.#forget(slot)
  }

  /** The request begins anew on another replica than the lost one. */
  #sendAgain(slot: number, dead: Replica): void {
    const table = this.#table
    if (table.targetReplica[slot] !== -1) this.#dropTarget(slot)
    this.#leaveReplica(slot)
    table.restart(slot)
    table.retries[slot]! += 1
    if (this.#arrivalCandidates.count > 0) this.#send(slot)
    else this.#endNow(slot, 'failed', `replica ${dead.index} died, and no other takes requests`)
  }

  #setState(replica: Replica, state: Replica['state']): void {
    // A replica that is down has no more events: it tells of its last steps now.
    if (state === 'down') replica.engine.report(this.#now)
    replica.state = state
    if (state === 'down') replica.downAt = toSeconds(this.#now)
    this.#refreshCandidates()
  }

  #refreshCandidates(): void {
    this.#arrivalCandidates.refresh()
    this.#generateCandidates.refresh()
  }

  #setRate(requestsPerSecond: number): void {
    const source = this.#config.source as Partial<SteerableSource>
    if (source.setRate === undefined)
      throw new CommandError('this traffic has no arrival rate to change: it is replayed as recorded')
    if (!(requestsPerSecond > 0 && requestsPerSecond < 1e9)) {
      throw new CommandError(`arrival rate ${requestsPerSecond} req/s: expected a number above 0 and below 1e9`)
    }
    source.setRate(requestsPerSecond, this.#now)
  }

  #setMix({ kind: _, ...change }: Extract<Command, { kind: 'mix' }>): void {
    const source = this.#config.source as Partial<MixableSource>
    if (source.setMix === undefined) throw new CommandError('this traffic has no mix to change')
    source.setMix(change, this.#now)
  }
}

/** An engine that cannot order its queue so refuses in words for the user. */
function setScheduler(engine: Engine, scheduler: Scheduler, now: Time): void {
  try {
    engine.setScheduler(scheduler, now)
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(error.message) : error
  }
}

/** Beyond every place in ORDER. */
const AFTER_ALL = 9

const NOTHING = 0
const ENGINE = 1
const TRANSFER = 2
const TIMERS = 3
const DELIVERY = 4
const ARRIVAL = 5

/** Times beyond this are a driver's "for ever": the clock does not follow them. */
const FAR_SECONDS = 4503599627370496

function linksOf(transfer: TransferConfig): Links {
  if (transfer.sharing === 'fair') return new FairLinks(transfer)
  if (transfer.overlap === 'layers') {
    throw new Error(
      'transfer: overlap layers needs sharing fair: a link that carries one cache at a time would wait for prefills',
    )
  }
  return new SerialLinks(transfer)
}

const names = (registry: ReadonlyMap<string, unknown>): string => [...registry.keys()].join(', ')
