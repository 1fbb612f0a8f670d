import { addSeconds, RandomStream } from '@windtunnel/des'
import { type Ending, emptyDraft, type PromptTree } from '@windtunnel/workload'
import type { Choose, Observer, RouterView } from '../../src/index.ts'
import type { SglangTestConfig, SglangTestPool } from './randomSglang.ts'
import { ReferenceRadix } from './referenceRadix.ts'
import { ReferenceSglang } from './referenceSglang.ts'
import { ReferenceSglangRequest } from './referenceSglangRequest.ts'
import { seconds, ticksOf, timeOf } from './referenceTime.ts'

/** The node of the path to `leaf` that holds token `tokens`, or the leaf itself. */
function prefixNode(tree: PromptTree, leaf: number, tokens: number): number {
  let node = leaf
  while (node !== 0 && tree.depthOf(tree.parentOf(node)) >= tokens) node = tree.parentOf(node)
  return node
}

interface ReferenceReplica {
  index: number
  pool: SglangTestPool
  engine: ReferenceSglang
  outstanding: ReferenceSglangRequest[]
  incoming: ReferenceSglangRequest[]
}

interface Event {
  time: bigint
  order: number
  rank: number
  run: () => void
}

interface Link {
  queue: ReferenceSglangRequest[]
  busy: ReferenceSglangRequest | undefined
  end: bigint
  sequence: number
}

interface Timer {
  time: bigint
  kind: number
  request: ReferenceSglangRequest
}

/** SGLang replicas behind a router, with transfers between pools, naively: looks at everything at every event. */
export class ReferenceSglangFleet {
  readonly replicas: ReferenceReplica[] = []
  readonly requests: ReferenceSglangRequest[] = []
  readonly #config: SglangTestConfig
  readonly #observer: Observer
  readonly #choose: Choose
  readonly #chooseGenerate: Choose
  #now = 0n
  #timers: Timer[] = []
  #links = new Map<number, Link>()
  #sequence = 0

  constructor(config: SglangTestConfig, observer: Observer) {
    this.#config = config
    this.#observer = observer
    for (const pool of config.pools) for (let i = 0; i < pool.replicas; i++) this.#add(pool)
    this.#choose = config.router.start(new RandomStream(config.seed, 'router'))
    this.#chooseGenerate = config.router.start(new RandomStream(config.seed, 'generate router'))
  }

  #add(pool: SglangTestPool): void {
    const index = this.replicas.length
    const { totalBlocks, blockSize, prefixCache } = pool.options
    const { tree } = this.#config.source
    // A request holds pages where it is, or where it comes from during a transfer.
    const here = (): ReferenceSglangRequest[] =>
      this.requests.filter((one) => (one.source >= 0 ? one.source : one.replica) === index)
    const kv = new ReferenceRadix(totalBlocks, blockSize, prefixCache, tree, here)
    const options = { ...pool.options, prefillOnly: pool.role === 'prefill' }
    const engine = new ReferenceSglang(
      index,
      kv,
      options,
      pool.cost,
      pool.scheduler,
      this.#observer,
      {
        finished: (request) => {
          if (!request.clientLeft) this.#tell(request, 'completed')
          this.#forget(request)
        },
        failed: (request) => {
          this.#tell(request, 'failed')
          this.#forget(request)
        },
        prefilled: (request) => this.#handOver(request),
      },
      pool.attentionWindowTokens,
    )
    this.replicas.push({ index, pool, engine, outstanding: [], incoming: [] })
  }

  /** Runs until nothing is pending; throws after `maxEvents` events. */
  run(maxEvents = 100_000): void {
    for (let handled = 0; ; handled++) {
      if (handled > maxEvents) throw new Error('the reference does not end')
      const events = this.#pending()
      if (events.length === 0) return
      events.sort((a, b) => (a.time !== b.time ? (a.time < b.time ? -1 : 1) : a.order - b.order || a.rank - b.rank))
      if (events[0]!.time < this.#now) throw new Error('the clock goes back')
      this.#now = events[0]!.time
      events[0]!.run()
      for (const { engine } of this.replicas) this.#conserves(engine.kv)
    }
  }

  /** Free, cached and private pages, and those on their way, are all the pages there are. */
  #conserves(kv: ReferenceRadix): void {
    const engine = this.replicas.find((replica) => replica.engine.kv === kv)!
    let pages = kv.free + kv.pages.size
    for (const request of this.requests) {
      if ((request.source >= 0 ? request.source : request.replica) === engine.index) pages += request.own
      if (request.source >= 0 && request.replica === engine.index) pages += request.received
    }
    if (pages !== kv.total) throw new Error(`${pages} pages where there are ${kv.total}`)
  }

  #pending(): Event[] {
    const events: Event[] = []
    for (const replica of this.replicas) {
      const { engine, index } = replica
      const after = (handle: () => void) => (): void => {
        handle()
        this.#reserve(replica)
      }
      const step = engine.flight[0]
      if (step !== undefined)
        events.push({ time: step.end, order: 0, rank: index, run: after(() => engine.end(this.#now)) })
      if (engine.composeAt !== undefined)
        events.push({ time: engine.composeAt, order: 4, rank: index, run: after(() => engine.compose(this.#now)) })
    }
    for (const [source, link] of this.#links) {
      if (link.busy !== undefined)
        events.push({ time: link.end, order: 1, rank: link.sequence, run: () => this.#endTransfer(source) })
    }
    this.#timers.forEach((timer, at) => {
      events.push({ time: timer.time, order: 2, rank: timer.kind * 1e6 + at, run: () => this.#ring(timer) })
    })
    const time = { seconds: 0, ticks: 0 }
    if (this.#config.source.peek(time))
      events.push({ time: ticksOf(time), order: 3, rank: 1, run: () => this.#arrive() })
    return events
  }

  #arrive(): void {
    const draft = emptyDraft()
    this.#config.source.take(draft)
    const request = new ReferenceSglangRequest(this.requests.length, draft)
    this.requests.push(request)
    const now = seconds(this.#now)
    this.#observer.arrived(request.id, now, request.input, request.output, draft.serviceClass, draft.tenant)
    for (const [kind, after] of [draft.cancelAfterSeconds, draft.timeoutSeconds].entries()) {
      if (after < Number.POSITIVE_INFINITY)
        this.#timers.push({ time: ticksOf(addSeconds(timeOf(this.#now), after)), kind, request })
    }
    const disaggregated = this.#config.pools.some((pool) => pool.role === 'prefill')
    const replica = this.#route(request, disaggregated ? 'prefill' : 'both', this.#choose)
    const generate = disaggregated ? this.replicas.find((one) => one.pool.role === 'generate')! : replica
    if (replica.engine.refuses(request) || generate.engine.refuses(request)) {
      this.#tell(request, 'rejected')
      this.#forget(request)
    } else replica.engine.enqueue(request, this.#now)
  }

  #route(request: ReferenceSglangRequest, role: string, choose: Choose): ReferenceReplica {
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
      kvUse: (i) => candidates[i]!.engine.kv.used / candidates[i]!.engine.kv.total,
      cachedTokens: (i) => candidates[i]!.engine.kv.visible(draft.prompt, request.input),
    }
    const { inputTokens, session, tenant, serviceClass, prompt } = draft
    const replica = candidates[choose({ inputTokens, session, tenant, serviceClass, prompt }, view)]!
    request.replica = replica.index
    replica.outstanding.push(request)
    this.#observer.routed(request.id, seconds(this.#now), replica.index)
    return replica
  }

  #handOver(request: ReferenceSglangRequest): void {
    const source = this.replicas[request.replica]!
    source.outstanding.splice(source.outstanding.indexOf(request), 1)
    request.source = source.index
    request.replica = -1
    if (request.clientLeft) {
      source.engine.releaseTransferred(request, this.#now)
      request.source = -1
      request.phase = 'gone'
      return
    }
    const target = this.#route(request, 'generate', this.#chooseGenerate)
    target.incoming.push(request)
    this.#reserve(target)
  }

  #reserve(target: ReferenceReplica): void {
    while (target.incoming.length > 0) {
      const request = target.incoming[0]!
      if (!target.engine.reserveIncoming(request)) return
      target.incoming.shift()
      const link = this.#links.get(request.source) ?? { queue: [], busy: undefined, end: 0n, sequence: 0 }
      this.#links.set(request.source, link)
      link.queue.push(request)
      if (link.busy === undefined) this.#startLink(request.source)
    }
  }

  #startLink(source: number): void {
    const link = this.#links.get(source)!
    const request = link.queue.shift()
    link.busy = request
    if (request === undefined) return
    const { bytesPerToken, bytesPerSecond, latencySeconds } = this.#config.transfer!
    const bytes = request.input * bytesPerToken
    link.end = ticksOf(addSeconds(timeOf(this.#now), latencySeconds + bytes / bytesPerSecond))
    link.sequence = this.#sequence++
    this.#observer.transferStarted(request.id, seconds(this.#now), source, request.replica, bytes)
  }

  #endTransfer(sourceIndex: number): void {
    const request = this.#links.get(sourceIndex)!.busy!
    const source = this.replicas[sourceIndex]!
    const target = this.replicas[request.replica]!
    this.#startLink(sourceIndex)
    source.engine.releaseTransferred(request, this.#now)
    request.source = -1
    if (request.clientLeft) {
      target.engine.cancelIncoming(request, this.#now)
      request.received = 0
      this.#forget(request)
    } else {
      this.#observer.transferred(request.id, seconds(this.#now), sourceIndex, target.index)
      request.phase = 'decode'
      target.engine.insert(request, this.#now)
      request.received = 0
    }
    this.#reserve(target)
  }

  #ring(timer: Timer): void {
    this.#timers.splice(this.#timers.indexOf(timer), 1)
    const { request } = timer
    if (request.phase === 'gone' || request.clientLeft) return
    this.#tell(request, timer.kind === 0 ? 'cancelled' : 'timedOut')
    request.clientLeft = true
    const replica = this.replicas[request.replica]!
    if (request.phase !== 'transferring') return replica.engine.abandon(request, this.#now)
    this.#abandonTransfer(request, replica)
  }

  #abandonTransfer(request: ReferenceSglangRequest, target: ReferenceReplica): void {
    const source = this.replicas[request.source]!
    const waiting = target.incoming.indexOf(request)
    if (waiting >= 0) {
      target.incoming.splice(waiting, 1)
    } else {
      const link = this.#links.get(request.source)!
      if (link.busy === request) return
      link.queue.splice(link.queue.indexOf(request), 1)
      target.engine.cancelIncoming(request, this.#now)
      request.received = 0
    }
    source.engine.releaseTransferred(request, this.#now)
    request.source = -1
    this.#forget(request)
    this.#reserve(target)
  }

  #tell(request: ReferenceSglangRequest, ending: Ending): void {
    this.#observer.ended(request.id, seconds(this.#now), ending, request.emitted, '')
    this.#config.source.ended(request.draft.tag, ending, timeOf(this.#now))
  }

  #forget(request: ReferenceSglangRequest): void {
    const replica = this.replicas[request.replica]
    if (replica !== undefined) replica.outstanding.splice(replica.outstanding.indexOf(request), 1)
    request.replica = -1
    request.phase = 'gone'
  }
}
