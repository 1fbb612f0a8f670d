import { addSeconds, RandomStream, ticksFromSeconds } from '@windtunnel/des'
import { type Ending, emptyDraft, type PromptTree } from '@windtunnel/workload'
import type { Choose, Observer, RouterView } from '../../src/index.ts'
import type { TestConfig, TestPool } from './randomScenario.ts'
import { ReferenceEngine } from './referenceEngine.ts'
import { ReferenceKv } from './referenceKv.ts'
import { ReferenceFairLinks, type ReferenceLinks, ReferenceSerialLinks } from './referenceLinks.ts'
import { ReferenceRequest } from './referenceRequest.ts'
import { seconds, ticksOf, timeOf } from './referenceTime.ts'

/** The node of the path to `leaf` that holds token `tokens`, or the leaf itself. */
function prefixNode(tree: PromptTree, leaf: number, tokens: number): number {
  let node = leaf
  while (node !== 0 && tree.depthOf(tree.parentOf(node)) >= tokens) node = tree.parentOf(node)
  return node
}

interface ReferenceReplica {
  index: number
  pool: TestPool
  engine: ReferenceEngine
  outstanding: ReferenceRequest[]
  incoming: ReferenceRequest[]
  frontEndFree: bigint
}

interface Event {
  time: bigint
  order: number
  /** Breaks ties within an order. */
  rank: number
  run: () => void
}

/** The whole serving system, naively: looks at everything at every event. */
export class ReferenceFleet {
  readonly replicas: ReferenceReplica[] = []
  readonly requests: ReferenceRequest[] = []
  #config: TestConfig
  #observer: Observer
  #now = 0n
  #choose: Choose
  #chooseGenerate: Choose
  #deliveries: { time: bigint; request: ReferenceRequest }[] = []
  #timers: { time: bigint; kind: number; request: ReferenceRequest }[] = []
  #links: ReferenceLinks

  constructor(config: TestConfig, observer: Observer) {
    this.#config = config
    this.#observer = observer
    const told = (request: ReferenceRequest, bytes: number, now: bigint): void =>
      this.#observer.transferStarted(request.id, seconds(now), request.source, request.target, bytes)
    this.#links =
      config.transfer?.sharing === 'fair'
        ? new ReferenceFairLinks(config.transfer, told)
        : new ReferenceSerialLinks(config.transfer, told)
    for (const pool of config.pools) for (let i = 0; i < pool.replicas; i++) this.#add(pool)
    this.#choose = config.router.start(new RandomStream(config.seed, 'router'))
    this.#chooseGenerate = (config.generateRouter ?? config.router).start(
      new RandomStream(config.seed, 'generate router'),
    )
  }

  #add(pool: TestPool): void {
    const index = this.replicas.length
    const { totalBlocks, blockSize, prefixCache } = pool.options
    const kv = new ReferenceKv(totalBlocks, blockSize, prefixCache, this.#config.source.tree)
    const engine = new ReferenceEngine(
      index,
      kv,
      {
        ...pool.options,
        prefillOnly: pool.role === 'prefill',
        firstToken: this.#config.transfer?.firstToken ?? 'prefill',
      },
      pool.cost,
      pool.attentionWindowTokens,
      pool.scheduler,
      () => this.#observer,
      {
        finished: (request) => {
          if (!request.clientLeft) this.#tell(request, 'completed', '')
          this.#forget(request)
        },
        failed: (request, _now, reason) => {
          this.#tell(request, 'failed', reason)
          this.#forget(request)
        },
        prefilled: (request) => this.#handOver(request),
        preempted: (request) => {
          request.sendable = 0
          this.#dropTarget(request)
        },
        computing: (request, tokens) => this.#computing(request, tokens),
      },
    )
    const router = pool.role === 'generate' ? (this.#config.generateRouter ?? this.#config.router) : this.#config.router
    engine.cacheDelay = BigInt(ticksFromSeconds(router.cacheDelaySeconds ?? 0))
    this.replicas.push({ index, pool, engine, outstanding: [], incoming: [], frontEndFree: 0n })
  }

  /** Runs until nothing is pending; throws after `maxEvents` events. */
  run(maxEvents = 100_000): void {
    for (let handled = 0; ; handled++) {
      if (handled > maxEvents) throw new Error('the reference does not end')
      const events = this.#pending()
      if (events.length === 0) return
      events.sort((a, b) => (a.time !== b.time ? (a.time < b.time ? -1 : 1) : a.order - b.order || a.rank - b.rank))
      this.#now = events[0]!.time
      events[0]!.run()
    }
  }

  #pending(): Event[] {
    const events: Event[] = []
    for (const replica of this.replicas) {
      const { engine, index } = replica
      const step = engine.flight[0]
      if (step !== undefined) {
        const run = (): void => {
          engine.end(this.#now)
          this.#reserve(replica)
        }
        events.push({ time: step.end, order: 0, rank: index, run })
      }
      if (engine.composeAt !== undefined) {
        const run = (): void => {
          engine.compose(this.#now)
          this.#reserve(replica)
        }
        events.push({ time: engine.composeAt, order: 4, rank: index, run })
      }
    }
    for (const { time, rank, run } of this.#links.pending()) {
      events.push({
        time,
        order: 1,
        rank,
        run: () => {
          const done = run(this.#now)
          if (done !== undefined) this.#endTransfer(done)
        },
      })
    }
    this.#timers.forEach((timer, at) => {
      events.push({ time: timer.time, order: 2, rank: timer.kind * 1e6 + at, run: () => this.#ring(timer) })
    })
    const delivery = this.#deliveries[0]
    if (delivery !== undefined) events.push({ time: delivery.time, order: 3, rank: 0, run: () => this.#deliverNext() })
    const time = { seconds: 0, ticks: 0 }
    if (this.#config.source.peek(time))
      events.push({ time: ticksOf(time), order: 3, rank: 1, run: () => this.#arrive() })
    return events
  }

  #arrive(): void {
    const draft = emptyDraft()
    this.#config.source.take(draft)
    const request = new ReferenceRequest(this.requests.length, draft)
    this.requests.push(request)
    const now = seconds(this.#now)
    this.#observer.arrived(request.id, now, request.input, request.output, draft.serviceClass, draft.tenant)
    for (const [kind, after] of [draft.cancelAfterSeconds, draft.timeoutSeconds].entries()) {
      if (after < Number.POSITIVE_INFINITY) {
        this.#timers.push({ time: ticksOf(addSeconds(timeOf(this.#now), after)), kind, request })
      }
    }
    const disaggregated = this.#config.pools.some((pool) => pool.role === 'prefill')
    const replica = this.#route(request, disaggregated ? 'prefill' : 'both', this.#choose)
    const generate = disaggregated ? this.replicas.find((one) => one.pool.role === 'generate')! : replica
    if (this.#refused(request, replica) || this.#refused(request, generate)) {
      this.#tell(request, 'rejected', '')
      this.#forget(request)
      return
    }
    const { latencySeconds, secondsPerPromptToken } = replica.pool.frontEnd
    if (latencySeconds === 0 && secondsPerPromptToken === 0) return replica.engine.enqueue(request, this.#now)
    if (replica.frontEndFree < this.#now) replica.frontEndFree = this.#now
    replica.frontEndFree += BigInt(ticksFromSeconds(secondsPerPromptToken * request.input))
    this.#deliveries.push({ time: replica.frontEndFree + BigInt(ticksFromSeconds(latencySeconds)), request })
    this.#deliveries.sort((a, b) => (a.time === b.time ? 0 : a.time < b.time ? -1 : 1))
  }

  #refused(request: ReferenceRequest, replica: ReferenceReplica): boolean {
    const { maxModelLength, maxBatchedTokens, chunkedPrefill } = replica.pool.options
    return (
      request.input + request.maxTokens > maxModelLength ||
      replica.engine.kv.blocksFor(request.input) > replica.engine.kv.total ||
      (replica.engine.promises && replica.engine.most(request) > replica.engine.kv.total) ||
      (!chunkedPrefill && request.input > maxBatchedTokens)
    )
  }

  #deliverNext(): void {
    const { request } = this.#deliveries.shift()!
    if (request.clientLeft) this.#forget(request)
    else this.replicas[request.replica]!.engine.enqueue(request, this.#now)
  }

  #route(request: ReferenceRequest, role: string, choose: Choose): ReferenceReplica {
    const candidates = this.replicas.filter((replica) => replica.pool.role === role)
    const { draft } = request
    const view: RouterView = {
      count: candidates.length,
      nowSeconds: seconds(this.#now),
      version: 0,
      prefixNode: (tokens) => prefixNode(this.#config.source.tree, draft.prompt, tokens),
      replicaAt: (i) => candidates[i]!.index,
      outstandingRequests: (i) => candidates[i]!.outstanding.length,
      outstandingTokens: (i) => candidates[i]!.outstanding.reduce((sum, one) => sum + one.input + one.maxTokens, 0),
      waitingRequests: (i) => candidates[i]!.engine.waiting.length,
      kvUse: (i) => 1 - candidates[i]!.engine.kv.free.length / candidates[i]!.engine.kv.total,
      cachedTokens: (i) => {
        const { kv } = candidates[i]!.engine
        return kv.seen(draft.prompt, Math.floor((request.input - 1) / kv.blockSize), this.#now) * kv.blockSize
      },
    }
    const { inputTokens, session, tenant, serviceClass, prompt } = draft
    const replica = candidates[choose({ inputTokens, session, tenant, serviceClass, prompt }, view)]!
    request.replica = replica.index
    replica.outstanding.push(request)
    this.#observer.routed(request.id, seconds(this.#now), replica.index)
    return replica
  }

  #handOver(request: ReferenceRequest): void {
    const source = this.replicas[request.replica]!
    request.source = source.index
    source.outstanding.splice(source.outstanding.indexOf(request), 1)
    request.replica = -1
    if (request.clientLeft) {
      source.engine.kv.release(request)
      source.engine.promised.delete(request)
      source.engine.wake(this.#now)
      this.#forget(request)
      return
    }
    if (request.target < 0) this.#chooseTarget(request)
    else this.#links.offer(request, this.#sendableBytes(request), this.#now)
    request.replica = request.target
  }

  #chooseTarget(request: ReferenceRequest): void {
    const source = request.replica
    const target = this.#route(request, 'generate', this.#chooseGenerate)
    request.replica = source
    request.target = target.index
    target.incoming.push(request)
    this.#reserve(target)
  }

  #computing(request: ReferenceRequest, tokens: number): void {
    const { overlap } = this.#config.transfer ?? {}
    if (overlap !== 'layers' || request.clientLeft) return
    if (this.replicas[request.replica]!.pool.role !== 'prefill') return
    request.sendable = Math.max(request.sendable, tokens)
    request.source = request.replica
    if (request.target < 0) this.#chooseTarget(request)
    else this.#links.offer(request, this.#sendableBytes(request), this.#now)
  }

  #sendableBytes(request: ReferenceRequest): number {
    const { bytesPerToken, layers = 1 } = this.#config.transfer!
    if (request.phase === 'transferring') return request.input * bytesPerToken
    return (request.sendable * bytesPerToken * (layers - 1)) / layers
  }

  #reserve(target: ReferenceReplica): void {
    const { engine } = target
    const { transfer } = this.#config
    while (target.incoming.length > 0) {
      const request = target.incoming[0]!
      const blocks = engine.incomingBlocks(request)
      if (blocks === undefined) return
      engine.reserved += 1
      engine.promised.add(request)
      // Blocks on the receiving side are counted apart until the sending side lets go.
      const own = request.own
      request.own = []
      engine.kv.allocate(request, blocks)
      this.#received.set(request, request.own)
      request.own = own
      target.incoming.shift()
      const bytes = request.input * transfer!.bytesPerToken
      this.#links.request(request, bytes, this.#sendableBytes(request), this.#now)
    }
  }

  #received = new Map<ReferenceRequest, ReferenceRequest['own']>()

  #endTransfer(request: ReferenceRequest): void {
    const source = this.replicas[request.source]!
    const target = this.replicas[request.target]!
    source.engine.kv.release(request)
    source.engine.promised.delete(request)
    source.engine.wake(this.#now)
    target.engine.reserved -= 1
    request.target = -1
    request.own = this.#received.get(request)!
    this.#received.delete(request)
    if (request.clientLeft) {
      target.engine.kv.release(request)
      target.engine.promised.delete(request)
      this.#forget(request)
    } else {
      this.#observer.transferred(request.id, seconds(this.#now), source.index, target.index)
      request.computed = request.known - 1
      request.leaving = false
      request.room = request.own.length
      const { kv, cacheDelay } = target.engine
      kv.show(kv.commit(request, request.computed), this.#now + cacheDelay)
      target.engine.inserted.push(request)
    }
    target.engine.wake(this.#now)
    this.#reserve(target)
  }

  #ring(timer: { kind: number; request: ReferenceRequest }): void {
    this.#timers.splice(this.#timers.indexOf(timer as never), 1)
    const { request } = timer
    if (request.phase === 'gone' || request.clientLeft) return
    const [ending, reason] =
      timer.kind === 0 ? (['cancelled', 'the client left'] as const) : (['timedOut', 'the deadline passed'] as const)
    this.#tell(request, ending, reason)
    request.clientLeft = true
    if (request.phase === 'travelling') return
    const replica = this.replicas[request.replica]!
    if (request.phase !== 'transferring' || replica.engine.inserted.includes(request))
      return replica.engine.abandon(request, this.#now)
    this.#abandonTransfer(request, replica)
  }

  #abandonTransfer(request: ReferenceRequest, target: ReferenceReplica): void {
    const source = this.replicas[request.source]!
    if (!this.#unreserve(request, target)) return
    source.engine.kv.release(request)
    source.engine.promised.delete(request)
    source.engine.wake(this.#now)
    this.#forget(request)
    this.#reserve(target)
  }

  /** Gives back what the receiving side keeps for the request; false when its transfer cannot be stopped. */
  #unreserve(request: ReferenceRequest, target: ReferenceReplica): boolean {
    const waiting = target.incoming.indexOf(request)
    if (waiting >= 0) {
      target.incoming.splice(waiting, 1)
    } else {
      if (!this.#links.cancel(request, this.#now)) return false
      const held = { own: this.#received.get(request)!, shared: [] } as unknown as ReferenceRequest
      target.engine.kv.release(held)
      this.#received.delete(request)
      target.engine.reserved -= 1
      target.engine.promised.delete(request)
      target.engine.wake(this.#now)
    }
    request.target = -1
    return true
  }

  #tell(request: ReferenceRequest, ending: Ending, reason: string): void {
    this.#observer.ended(request.id, seconds(this.#now), ending, request.emitted, reason)
    this.#config.source.ended(request.draft.tag, ending, timeOf(this.#now))
  }

  /** A request on the prefill side gives back what it has on the generate side. */
  #dropTarget(request: ReferenceRequest): void {
    const target = this.replicas[request.target]
    if (target === undefined) return
    this.#unreserve(request, target)
    target.outstanding.splice(target.outstanding.indexOf(request), 1)
    this.#reserve(target)
  }

  #forget(request: ReferenceRequest): void {
    this.#dropTarget(request)
    const replica = this.replicas[request.replica]
    if (replica !== undefined) replica.outstanding.splice(replica.outstanding.indexOf(request), 1)
    request.replica = -1
    request.phase = 'gone'
  }
}
