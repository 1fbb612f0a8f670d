import { addSeconds, RandomStream, ticksFromSeconds } from '@windtunnel/des'
import { type Ending, emptyDraft, type PromptTree } from '@windtunnel/workload'
import type { Choose, Command, Observer, PoolConfig, RouterView, SimulationConfig } from '../../src/index.ts'
import { ReferenceFairLinks, type ReferenceLinks, ReferenceSerialLinks } from './referenceLinks.ts'
import type { ReferenceEngine, ReferenceKind } from './referenceReplica.ts'
import type { ReferenceRequest } from './referenceRequest.ts'
import { seconds, ticksOf, timeOf } from './referenceTime.ts'
import { slowed } from './slowed.ts'

/** The node of the path to `leaf` that holds token `tokens`, or the leaf itself. */
function prefixNode(tree: PromptTree, leaf: number, tokens: number): number {
  let node = leaf
  while (node !== 0 && tree.depthOf(tree.parentOf(node)) >= tokens) node = tree.parentOf(node)
  return node
}

interface ReferenceReplica<Request extends ReferenceRequest, Pool extends PoolConfig> {
  index: number
  pool: Pool
  state: 'up' | 'starting' | 'draining' | 'down'
  engine: ReferenceEngine<Request>
  /** Routed here and not ended. */
  outstanding: Request[]
  /** Waiting for room here, in order. */
  incoming: Request[]
  /** Computed prompts whose KV it still holds. */
  sending: number
  frontEndFree: bigint
  /** When its engine takes requests, after a start-up or an outage. */
  backAt: bigint
}

interface Event {
  time: bigint
  order: number
  /** Breaks ties within an order. */
  rank: number
  run: () => void
}

interface Timer {
  time: bigint
  kind: number
  run: () => void
}

/** The whole serving system, naively: looks at everything at every event. */
export class ReferenceFleet<Request extends ReferenceRequest, Pool extends PoolConfig> {
  readonly replicas: ReferenceReplica<Request, Pool>[] = []
  readonly requests: Request[] = []
  readonly #config: SimulationConfig
  readonly #pools: readonly Pool[]
  readonly #kind: ReferenceKind<Request, Pool>
  readonly #observer: Observer
  readonly #choose: Choose
  readonly #chooseGenerate: Choose
  readonly #links: ReferenceLinks<Request>
  #now = 0n
  #composing = false
  #deliveries: { time: bigint; request: Request }[] = []
  #timers: Timer[] = []
  /** Raised whenever other replicas take requests than before. */
  #version = 0

  constructor(
    config: SimulationConfig & { pools: readonly Pool[] },
    observer: Observer,
    kind: ReferenceKind<Request, Pool>,
  ) {
    this.#config = config
    this.#pools = config.pools
    this.#observer = observer
    this.#kind = kind
    const told = (request: Request, bytes: number, now: bigint): void =>
      this.#observer.transferStarted(request.id, seconds(now), request.source, request.target, bytes)
    this.#links =
      config.transfer?.sharing === 'fair'
        ? new ReferenceFairLinks(config.transfer, told)
        : new ReferenceSerialLinks(config.transfer, told)
    for (const pool of config.pools) for (let i = 0; i < pool.replicas; i++) this.#add(pool)
    for (const { replica, atSeconds, downSeconds } of config.outages ?? []) {
      const time = ticksOf(addSeconds({ seconds: 0, ticks: 0 }, atSeconds))
      this.#timers.push({ time, kind: 3, run: () => this.#failForAWhile(this.replicas[replica]!, downSeconds) })
    }
    this.#choose = config.router.start(new RandomStream(config.seed, 'router'))
    this.#chooseGenerate = (config.generateRouter ?? config.router).start(
      new RandomStream(config.seed, 'generate router'),
    )
  }

  #add(pool: Pool): ReferenceReplica<Request, Pool> {
    const index = this.replicas.length
    const engine = this.#engine(pool, index)
    const replica = { index, pool, engine, outstanding: [], incoming: [], sending: 0, frontEndFree: 0n, backAt: 0n }
    this.replicas.push({ ...replica, state: 'up' })
    return this.replicas.at(-1)!
  }

  #engine(pool: Pool, index: number): ReferenceEngine<Request> {
    const { router, generateRouter, transfer, source, stragglers } = this.#config
    const { cacheDelaySeconds = 0 } = pool.role === 'generate' ? (generateRouter ?? router) : router
    const cost = slowed(pool.cost, stragglers, index, () => this.#now)
    return this.#kind.engine({
      replica: index,
      pool: { ...pool, cost },
      tree: source.tree,
      observer: this.#observer,
      firstToken: transfer?.firstToken ?? 'prefill',
      cacheDelay: BigInt(ticksFromSeconds(cacheDelaySeconds)),
      requests: this.requests,
      finished: (request) => {
        if (request.clientLeft) this.#forget(request)
        else this.#end(request, 'completed')
      },
      failed: (request) => this.#end(request, 'failed'),
      prefilled: (request) => this.#handOver(request),
      preempted: (request) => {
        request.sendable = 0
        this.#dropTarget(request)
      },
      computing: (request, tokens) => this.#computing(request, tokens),
    })
  }

  /** Runs until nothing is pending, or what is comes after `until`; throws after `maxEvents` events. */
  run(until?: bigint, maxEvents = 100_000): void {
    for (let handled = 0; ; handled++) {
      if (handled > maxEvents) throw new Error('the reference does not end')
      const events = this.#pending()
      events.sort((a, b) => (a.time !== b.time ? (a.time < b.time ? -1 : 1) : a.order - b.order || a.rank - b.rank))
      const first = events[0]
      if (first === undefined || (until !== undefined && first.time > until)) break
      if (first.time < this.#now) throw new Error('the clock goes back')
      this.#now = first.time
      first.run()
      for (const { engine, state } of this.replicas) if (state !== 'down') engine.check()
    }
    if (until !== undefined && until > this.#now) this.#now = until
  }

  #pending(): Event[] {
    const events: Event[] = []
    for (const replica of this.replicas) if (replica.state !== 'down') events.push(...this.#stepsOf(replica))
    for (const { time, rank, run } of this.#links.pending()) {
      const end = (): void => {
        const done = run(this.#now)
        if (done !== undefined) this.#endTransfer(done)
      }
      events.push({ time, order: 1, rank, run: end })
    }
    this.#timers.forEach((timer, at) => {
      const ring = (): void => {
        this.#timers.splice(this.#timers.indexOf(timer), 1)
        timer.run()
      }
      events.push({ time: timer.time, order: 2, rank: timer.kind * 1e6 + at, run: ring })
    })
    const delivery = this.#deliveries[0]
    if (delivery !== undefined) events.push({ time: delivery.time, order: 3, rank: 0, run: () => this.#deliverNext() })
    const time = { seconds: 0, ticks: 0 }
    if (this.#config.source.peek(time))
      events.push({ time: ticksOf(time), order: 3, rank: 1, run: () => this.#arrive() })
    return events
  }

  #stepsOf(replica: ReferenceReplica<Request, Pool>): Event[] {
    const { engine, index } = replica
    const events: Event[] = []
    const end = (): void => {
      engine.end(this.#now)
      this.#reserve(replica)
    }
    const compose = (): void => {
      this.#composing = true
      engine.compose(this.#now)
      this.#composing = false
      this.#reserve(replica)
    }
    if (engine.endsAt !== undefined) events.push({ time: engine.endsAt, order: 0, rank: index, run: end })
    if (engine.composeAt !== undefined) events.push({ time: engine.composeAt, order: 4, rank: index, run: compose })
    return events
  }

  // ---- arrivals ------------------------------------------------------------------------------------------------------

  #arrive(): void {
    const draft = emptyDraft()
    this.#config.source.take(draft)
    const request = this.#kind.request(this.requests.length, draft)
    this.requests.push(request)
    const now = seconds(this.#now)
    this.#observer.arrived(request.id, now, request.input, request.output, draft.serviceClass, draft.tenant)
    for (const [kind, after] of [draft.cancelAfterSeconds, draft.timeoutSeconds].entries()) {
      if (after < Number.POSITIVE_INFINITY)
        this.#timers.push({ time: this.#after(after), kind, run: () => this.#leave(request, kind) })
    }
    if (this.#candidates(this.#entry).length === 0) this.#end(request, 'rejected')
    else this.#send(request)
  }

  #after(duration: number): bigint {
    return ticksOf(addSeconds(timeOf(this.#now), duration))
  }

  /** The role of the replicas to which arrivals go. */
  get #entry(): string {
    return this.#config.pools.some((pool) => pool.role === 'prefill') ? 'prefill' : 'both'
  }

  #candidates(role: string): ReferenceReplica<Request, Pool>[] {
    return this.replicas.filter(({ pool, state }) => pool.role === role && state === 'up')
  }

  #send(request: Request): void {
    const replica = this.#route(request, this.#entry, this.#choose)
    const generate = this.#entry === 'both' ? replica : this.#candidates('generate')[0]
    if (replica.engine.refuses(request) || generate === undefined || generate.engine.refuses(request))
      return this.#end(request, 'rejected')
    const { latencySeconds, secondsPerPromptToken } = replica.pool.frontEnd
    if (latencySeconds === 0 && secondsPerPromptToken === 0) return replica.engine.enqueue(request, this.#now)
    if (replica.frontEndFree < this.#now) replica.frontEndFree = this.#now
    replica.frontEndFree += BigInt(ticksFromSeconds(secondsPerPromptToken * request.input))
    this.#deliverAt(replica.frontEndFree + BigInt(ticksFromSeconds(latencySeconds)), request)
  }

  #deliverAt(time: bigint, request: Request): void {
    this.#deliveries.push({ time, request })
    this.#deliveries.sort((a, b) => (a.time === b.time ? 0 : a.time < b.time ? -1 : 1))
  }

  #deliverNext(): void {
    const { request } = this.#deliveries.shift()!
    const replica = this.replicas[request.replica]!
    if (request.clientLeft) this.#forget(request)
    else if (replica.state === 'down') this.#sendAgain(request)
    else if (replica.backAt > this.#now) this.#deliverAt(replica.backAt, request)
    else replica.engine.enqueue(request, this.#now)
  }

  #route(request: Request, role: string, choose: Choose): ReferenceReplica<Request, Pool> {
    const candidates = this.#candidates(role)
    const { draft } = request
    const view: RouterView = {
      count: candidates.length,
      nowSeconds: seconds(this.#now),
      version: this.#version,
      prefixNode: (tokens) => prefixNode(this.#config.source.tree, draft.prompt, tokens),
      replicaAt: (i) => candidates[i]!.index,
      outstandingRequests: (i) => candidates[i]!.outstanding.length,
      outstandingTokens: (i) => candidates[i]!.outstanding.reduce((sum, one) => sum + one.input + one.maxTokens, 0),
      waitingRequests: (i) => candidates[i]!.engine.waitingRequests,
      kvUse: (i) => candidates[i]!.engine.kvUse(),
      cachedTokens: (i) => candidates[i]!.engine.cachedTokens(request, this.#now),
    }
    const { inputTokens, session, tenant, serviceClass, prompt } = draft
    const replica = candidates[choose({ inputTokens, session, tenant, serviceClass, prompt }, view)]!
    request.replica = replica.index
    replica.outstanding.push(request)
    this.#observer.routed(request.id, seconds(this.#now), replica.index)
    return replica
  }

  // ---- transfers -----------------------------------------------------------------------------------------------------

  #handOver(request: Request): void {
    const source = this.replicas[request.replica]!
    request.source = source.index
    source.sending += 1
    this.#leaveReplica(request)
    if (request.target >= 0 && !request.clientLeft) {
      request.replica = request.target
      return this.#links.offer(request, this.#sendableBytes(request), this.#now)
    }
    if (request.clientLeft || this.#candidates('generate').length === 0) {
      this.#letGo(request)
      if (request.clientLeft) this.#forget(request)
      else this.#end(request, 'failed')
      return
    }
    this.#chooseTarget(request)
    request.replica = request.target
  }

  #chooseTarget(request: Request): void {
    const source = request.replica
    const target = this.#route(request, 'generate', this.#chooseGenerate)
    request.replica = source
    request.target = target.index
    target.incoming.push(request)
    this.#reserve(target)
  }

  #computing(request: Request, tokens: number): void {
    if (this.#config.transfer?.overlap !== 'layers' || request.clientLeft) return
    if (this.replicas[request.replica]!.pool.role !== 'prefill') return
    request.sendable = Math.max(request.sendable, tokens)
    if (request.target >= 0) return this.#links.offer(request, this.#sendableBytes(request), this.#now)
    if (this.#candidates('generate').length === 0) return
    request.source = request.replica
    this.#chooseTarget(request)
  }

  #sendableBytes(request: Request): number {
    const { layers = 1 } = this.#config.transfer!
    const all = this.#kvBytes(request.input)
    if (request.phase === 'transferring') return all
    return ((all - this.#kvBytes(request.input - Math.min(request.input, request.sendable))) * (layers - 1)) / layers
  }

  #kvBytes(tokens: number): number {
    const { bytesPerToken, kvBytes } = this.#config.transfer!
    return kvBytes === undefined ? tokens * bytesPerToken : kvBytes(tokens)
  }

  #reserve(target: ReferenceReplica<Request, Pool>): void {
    while (target.incoming.length > 0 && target.state !== 'down') {
      const request = target.incoming[0]!
      if (!target.engine.reserveIncoming(request)) return
      target.incoming.shift()
      const bytes = this.#kvBytes(request.input)
      this.#links.request(request, bytes, this.#sendableBytes(request), this.#now)
    }
  }

  #endTransfer(request: Request): void {
    const source = this.replicas[request.source]!
    const target = this.replicas[request.replica]!
    this.#letGo(request)
    request.source = -1
    request.target = -1
    if (request.clientLeft) {
      target.engine.cancelIncoming(request, this.#now)
      this.#forget(request)
    } else {
      this.#observer.transferred(request.id, seconds(this.#now), source.index, target.index)
      target.engine.insert(request, this.#now)
    }
    this.#reserve(target)
  }

  /** The prefill side frees its KV. */
  #letGo(request: Request): void {
    const source = this.replicas[request.source]!
    source.engine.releaseTransferred(request, this.#now)
    source.sending -= 1
    this.#retire(source)
  }

  /** A client leaves, or the replica on the other side dies, while the KV is on its way. */
  #abandonTransfer(request: Request): void {
    const target = this.replicas[request.replica]!
    if (!this.#unreserve(request, target)) return
    this.#letGo(request)
    this.#forget(request)
    this.#reserve(target)
  }

  /** Gives back what the receiving side keeps for the request; false when its transfer cannot be stopped. */
  #unreserve(request: Request, target: ReferenceReplica<Request, Pool>): boolean {
    const waiting = target.incoming.indexOf(request)
    if (waiting >= 0) target.incoming.splice(waiting, 1)
    else if (!this.#links.cancel(request, this.#now)) return false
    else target.engine.cancelIncoming(request, this.#now)
    request.target = -1
    return true
  }

  /** A request on the prefill side gives back what it has on the generate side. */
  #dropTarget(request: Request): void {
    const target = this.replicas[request.target]
    if (target === undefined) return
    this.#unreserve(request, target)
    target.outstanding.splice(target.outstanding.indexOf(request), 1)
    this.#retire(target)
    this.#reserve(target)
  }

  // ---- endings -------------------------------------------------------------------------------------------------------

  #leave(request: Request, kind: number): void {
    if (request.phase === 'gone' || request.clientLeft) return
    this.#tell(request, kind === 0 ? 'cancelled' : 'timedOut')
    request.clientLeft = true
    if (request.phase === 'travelling') return
    if (request.phase === 'transferring') this.#abandonTransfer(request)
    else this.replicas[request.replica]!.engine.abandon(request, this.#now)
  }

  #tell(request: Request, ending: Ending): void {
    this.#observer.ended(request.id, seconds(this.#now), ending, request.emitted, '')
    this.#config.source.ended(request.draft.tag, ending, timeOf(this.#now + (this.#composing ? 1n : 0n)))
  }

  #end(request: Request, ending: Ending): void {
    this.#tell(request, ending)
    this.#forget(request)
  }

  #forget(request: Request): void {
    this.#dropTarget(request)
    this.#leaveReplica(request)
    request.phase = 'gone'
  }

  #leaveReplica(request: Request): void {
    const replica = this.replicas[request.replica]
    request.replica = -1
    if (replica === undefined) return
    replica.outstanding.splice(replica.outstanding.indexOf(request), 1)
    this.#retire(replica)
  }

  // ---- replicas ------------------------------------------------------------------------------------------------------

  /** Whether the command could be applied. */
  apply(command: Command): boolean {
    this.#leaveInstant()
    if (command.kind === 'addReplica') return this.#start(command.pool)
    if (command.kind !== 'removeReplica' && command.kind !== 'killReplica') throw new Error('not for the reference')
    const replica = this.replicas[command.replica]
    if (replica === undefined || replica.state === 'down') return false
    if (command.kind === 'killReplica') this.#kill(replica)
    else if (replica.state === 'draining') return false
    else {
      this.#setState(replica, 'draining')
      this.#retire(replica)
    }
    return true
  }

  /** All of an instant has happened: the command comes a tick later, after what ends then. */
  #leaveInstant(): void {
    if (this.#pending().some(({ time }) => time <= this.#now)) return
    this.#now += 1n
    for (;;) {
      const due = this.#pending().filter(({ time, order }) => time <= this.#now && order < 2)
      due.sort((a, b) => a.order - b.order || a.rank - b.rank)
      if (due.length === 0) return
      due[0]!.run()
    }
  }

  #start(name: string): boolean {
    const pool = this.#pools.find((one) => one.name === name)
    if (pool === undefined) return false
    const replica = this.#add(pool)
    if (pool.startUpSeconds > 0) this.#startLater(replica, pool.startUpSeconds)
    else this.#version += 1
    return true
  }

  #startLater(replica: ReferenceReplica<Request, Pool>, duration: number): void {
    if (replica.state === 'up') this.#setState(replica, 'starting')
    const time = this.#after(duration)
    if (time > replica.backAt) replica.backAt = time
    const up = (): void => {
      if (replica.state === 'starting' && replica.backAt <= this.#now) this.#setState(replica, 'up')
    }
    this.#timers.push({ time, kind: 2, run: up })
  }

  /** It loses all it held, and is away; its requests start over when it is back. */
  #failForAWhile(replica: ReferenceReplica<Request, Pool>, downSeconds: number): void {
    if (replica.state === 'down') return
    replica.engine = this.#engine(replica.pool, replica.index)
    this.#startLater(replica, downSeconds)
    for (const request of this.requests) {
      if (request.replica !== replica.index || request.phase === 'travelling') continue
      request.restart()
      this.#deliverAt(replica.backAt, request)
    }
  }

  #setState(replica: ReferenceReplica<Request, Pool>, state: ReferenceReplica<Request, Pool>['state']): void {
    replica.state = state
    this.#version += 1
  }

  /** A draining replica is down when nothing is left there. */
  #retire(replica: ReferenceReplica<Request, Pool>): void {
    if (replica.state === 'draining' && replica.outstanding.length + replica.sending === 0)
      this.#setState(replica, 'down')
  }

  #kill(replica: ReferenceReplica<Request, Pool>): void {
    this.#setState(replica, 'down')
    const here = ({ replica: at, source }: Request): boolean => at === replica.index || source === replica.index
    const alive = this.requests.filter(({ phase }) => phase !== 'gone')
    for (const request of alive) if (!here(request) && request.target === replica.index) this.#dropTarget(request)
    for (const request of alive.filter(here)) this.#lose(request)
  }

  #lose(request: Request): void {
    const again = !request.clientLeft && request.retries < (this.#config.retries ?? 0)
    if (request.phase === 'travelling' && again) return
    if (again && request.phase !== 'transferring' && request.emitted === 0) return this.#sendAgain(request)
    if (!request.clientLeft) this.#tell(request, 'failed')
    request.clientLeft = true
    if (request.phase === 'transferring') this.#abandonTransfer(request)
    else if (request.phase !== 'travelling') this.#forget(request)
  }

  #sendAgain(request: Request): void {
    this.#dropTarget(request)
    this.#leaveReplica(request)
    request.restart()
    request.retries += 1
    if (this.#candidates(this.#entry).length > 0) this.#send(request)
    else this.#end(request, 'failed')
  }
}
