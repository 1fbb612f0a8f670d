import type { Picker, QueuedRequest, QueueView, Scheduler, VllmOptions } from '../../src/index.ts'
import type { TestPool } from './randomScenario.ts'
import { type StepMember, stepDuration } from './referenceDuration.ts'
import { type FreshBlock, ReferenceKv } from './referenceKv.ts'
import type { ReferenceEngine, ReferenceSurroundings } from './referenceReplica.ts'
import { seconds } from './referenceTime.ts'
import type { ReferenceVllmRequest } from './referenceVllmRequest.ts'

interface Member extends StepMember {
  request: ReferenceVllmRequest
  dropped: boolean
}

interface Step {
  members: Member[]
  /** Blocks that others may see when it has ended. */
  made: FreshBlock[]
  start: bigint
  end: bigint
}

/** vLLM V1 for one replica, one sequence and one step at a time. */
export class ReferenceVllm implements ReferenceEngine<ReferenceVllmRequest> {
  readonly kv: ReferenceKv
  readonly running: ReferenceVllmRequest[] = []
  readonly waiting: ReferenceVllmRequest[] = []
  /** Transferred requests that decode from the next composition on, and clients that left. */
  inserted: ReferenceVllmRequest[] = []
  departures: ReferenceVllmRequest[] = []
  reserved = 0
  /** Requests whose greatest need is set aside: running, on their way here, or on their way from here. */
  readonly promised = new Set<ReferenceVllmRequest>()
  /** When the next composition is due; undefined when it waits for a step end or an arrival. */
  composeAt: bigint | undefined
  flight: Step[] = []
  #making: FreshBlock[] = []
  #joins = 0
  /** Steps for which prompts that could come in have been held back. */
  #held = 0
  /** Blocks copied to or from the host for the step being composed. */
  #copied = 0
  /** Blocks brought back from the host's tier of the prefix cache for it. */
  #loaded = 0
  readonly #around: ReferenceSurroundings<ReferenceVllmRequest, TestPool>
  readonly #options: VllmOptions
  readonly #prefillOnly: boolean
  readonly #replica: number
  /** Serves the running list in vLLM's own words (`#fillInOrder`). */
  readonly #inOrder: boolean
  #picker: Picker | undefined
  /** Every stretch in which a request ran here: `after` is set when it is over. */
  #served: { request: ReferenceVllmRequest; first: boolean; before: number; after: number | undefined }[] = []

  constructor(around: ReferenceSurroundings<ReferenceVllmRequest, TestPool>, inOrder = false) {
    this.#around = around
    this.#inOrder = inOrder
    this.#replica = around.replica
    const { options, role, scheduler } = around.pool
    this.#options = options
    this.#prefillOnly = role === 'prefill'
    this.kv = new ReferenceKv(options.totalBlocks, options.blockSize, options.prefixCache, around.tree)
    if (options.prefixCache) this.kv.hostBlocks = options.hostCache?.blocks ?? 0
    this.#picker = scheduler.start?.()
  }

  get #scheduler(): Scheduler {
    return this.#around.pool.scheduler
  }

  get waitingRequests(): number {
    return this.waiting.length
  }

  get endsAt(): bigint | undefined {
    return this.flight[0]?.end
  }

  kvUse(): number {
    return (this.kv.total - this.kv.free.length) / this.kv.total
  }

  cachedTokens({ draft, input }: ReferenceVllmRequest, now: bigint): number {
    const { kv } = this
    return kv.seen(draft.prompt, Math.floor((input - 1) / kv.blockSize), now) * kv.blockSize
  }

  check(): void {
    const blocks = new Set(this.kv.free)
    for (const one of this.#around.requests) {
      if (one.phase === 'gone') continue
      if ((one.source >= 0 ? one.source : one.replica) === this.#replica)
        for (const block of [...one.own, ...one.shared]) blocks.add(block)
      if (one.target === this.#replica) for (const block of one.received) blocks.add(block)
    }
    if (blocks.size !== this.kv.total) throw new Error(`${blocks.size} blocks where there are ${this.kv.total}`)
  }

  refuses(request: ReferenceVllmRequest): boolean {
    const { maxModelLength, maxBatchedTokens, chunkedPrefill } = this.#options
    return (
      request.input + request.maxTokens > maxModelLength ||
      this.kv.blocksFor(request.input) > this.kv.total ||
      (this.#promises && this.most(request) > this.kv.total) ||
      (!chunkedPrefill && request.input > maxBatchedTokens)
    )
  }

  /** Requests in the running list, those in flight for the last time included, and room reserved for transfers. */
  get slots(): number {
    return this.running.length + this.inserted.length + this.reserved
  }

  /** Blocks that the request can need at most. */
  most(request: ReferenceVllmRequest): number {
    return this.kv.blocksFor(request.input + (this.#prefillOnly ? 0 : request.maxTokens))
  }

  get #promises(): boolean {
    return this.#options.reserve === 'guarantee' || this.#options.reserve === 'maximum'
  }

  /** Whether the request can be let in, `spare` blocks being left, when `goal` blocks are to be taken. */
  #fits(request: ReferenceVllmRequest, goal: number, spare: number): boolean {
    if (goal + spare > this.kv.free.length) return false
    if (this.#options.reserve !== 'guarantee') return true
    let promised = this.most(request)
    for (const one of this.promised) promised += this.most(one)
    return promised + spare <= this.kv.total
  }

  /** Sets blocks aside for a cache that is to be transferred here, apart from those that the sending side holds. */
  reserveIncoming(request: ReferenceVllmRequest): boolean {
    const blocks = this.#incomingBlocks(request)
    if (blocks === undefined) return false
    this.reserved += 1
    this.promised.add(request)
    const { own } = request
    request.own = []
    this.kv.allocate(request, blocks)
    request.received = request.own
    request.own = own
    return true
  }

  cancelIncoming(request: ReferenceVllmRequest, now: bigint): void {
    const held = { own: request.received, shared: [] } as unknown as ReferenceVllmRequest
    this.kv.release(held)
    request.received = []
    this.reserved -= 1
    this.promised.delete(request)
    this.wake(now)
  }

  insert(request: ReferenceVllmRequest, now: bigint): void {
    this.reserved -= 1
    request.phase = 'decode'
    request.own = request.received
    request.received = []
    request.computed = request.known - 1
    request.leaving = false
    request.room = request.own.length
    this.kv.show(this.kv.commit(request, request.computed), now + this.#around.cacheDelay)
    this.inserted.push(request)
    this.wake(now)
  }

  releaseTransferred(request: ReferenceVllmRequest, now: bigint): void {
    this.kv.release(request)
    this.promised.delete(request)
    this.wake(now)
  }

  /** Blocks for a cache that is to be transferred here; undefined when there is no room. */
  #incomingBlocks(request: ReferenceVllmRequest): number | undefined {
    const blocks =
      this.#options.reserve === 'maximum'
        ? this.most(request)
        : this.kv.blocksFor(request.input - (this.#around.firstToken === 'generate' ? 1 : 0))
    if (blocks > this.kv.free.length || !this.#fits(request, blocks, 0)) return undefined
    return this.slots < this.#options.maxSequences ? blocks : undefined
  }

  wake(now: bigint): void {
    if (this.flight.length === 0 && this.composeAt === undefined) this.composeAt = now
  }

  enqueue(request: ReferenceVllmRequest, now: bigint): void {
    request.phase = 'waiting'
    this.#queue(request)
    this.wake(now)
  }

  abandon(request: ReferenceVllmRequest, now: bigint): void {
    request.clientLeft = true
    if (request.phase === 'waiting') {
      this.waiting.splice(this.waiting.indexOf(request), 1)
      this.#around.finished(request)
    } else if (!request.leaving) {
      this.departures.push(request)
    }
    this.wake(now)
  }

  /** The step in flight that ends next has ended. */
  end(now: bigint): void {
    const step = this.flight.shift()!
    this.kv.show(step.made, now + this.#around.cacheDelay)
    const decodes = step.members
      .filter((member) => !member.chunk)
      .sort((a, b) => a.request.joinOrder - b.request.joinOrder)
    const chunks = step.members.filter((member) => member.chunk && member.samples)
    for (const member of [...decodes, ...chunks]) this.#emit(member, step.start, now)
    this.composeAt = now
    this.#begin()
  }

  /** The first step in flight begins now. */
  #begin(): void {
    for (const { request, chunk, tokens, context, dropped } of this.flight[0]?.members ?? []) {
      if (chunk && !dropped && request.phase !== 'gone') this.#around.computing(request, context + tokens)
    }
  }

  #emit(member: Member, start: bigint, now: bigint): void {
    const { request } = member
    if (member.dropped || request.phase === 'gone') return
    if (this.#prefillOnly && this.#around.firstToken === 'generate') return this.#handOver(request)
    // A request whose client has left counts in the gaps of its replica's steps until it is dropped, but is not told of by name.
    const untold = request.clientLeft && (request.emitted === 0 || request.lastToken !== start)
    if (!untold && request.emitted === 0) this.#around.observer.firstToken(request.id, seconds(now))
    else if (!untold) this.#around.observer.tokenGap(request.id, seconds(now), Number(now - request.lastToken))
    request.emitted += 1
    request.lastToken = now
    if (request.emitted === request.output) return this.#finish(request, now)
    if (this.#prefillOnly) this.#handOver(request)
  }

  #handOver(request: ReferenceVllmRequest): void {
    this.running.splice(this.running.indexOf(request), 1)
    this.#close(request)
    const left = this.departures.indexOf(request)
    if (left >= 0) this.departures.splice(left, 1)
    request.phase = 'transferring'
    this.#around.prefilled(request)
  }

  #finish(request: ReferenceVllmRequest, now: bigint): void {
    this.promised.delete(request)
    this.running.splice(this.running.indexOf(request), 1)
    this.#close(request)
    const left = this.departures.indexOf(request)
    if (left >= 0) this.departures.splice(left, 1)
    // The last token is never computed; what was computed of the known text is cached.
    this.kv.show(this.kv.commit(request, Math.min(request.computed, request.known - 1)), now + this.#around.cacheDelay)
    this.kv.release(request)
    request.phase = 'gone'
    this.#around.finished(request)
  }

  compose(now: bigint): void {
    this.composeAt = undefined
    for (const request of this.departures.splice(0)) this.#depart(request, now)
    this.#join()
    for (const request of this.running) request.leaving = this.#foreseen(request)
    for (;;) {
      const members: Member[] = []
      const preempted = this.#inOrder ? this.#fillInOrder(members, now) : this.#fill(members, now)
      if (members.length === 0) {
        if (preempted && this.flight.length === 0) continue
        return
      }
      this.#start(members, now)
      return
    }
  }

  #start(members: Member[], now: bigint): void {
    const start = this.flight.length > 0 ? this.flight.at(-1)!.end : now
    const step: Step = { members, made: this.#making, start, end: start + this.#duration(members) + this.#copying() }
    this.#making = []
    const wasIdle = this.flight.length === 0
    this.flight.push(step)
    for (const { request, tokens, context, chunk } of members) {
      if (chunk) this.#around.observer.prefillChunk(request.id, seconds(start), this.#replica, tokens, context)
    }
    if (wasIdle) this.#begin()
    if (this.#options.asyncScheduling && wasIdle) this.composeAt = now
  }

  /** Tokens of the request in steps that have not ended. */
  #inFlight(request: ReferenceVllmRequest): number {
    let tokens = 0
    for (const step of this.flight) {
      for (const member of step.members)
        if (member.request === request && member.samples && !member.dropped) tokens += 1
    }
    return tokens
  }

  #join(): void {
    for (const request of this.running) {
      if (request.phase !== 'prefill' || !request.promptDone) continue
      request.phase = 'decode'
      request.joinOrder = this.#joins++
    }
    for (const request of this.inserted.splice(0)) {
      this.running.push(request)
      request.phase = 'decode'
      request.joinOrder = this.#joins++
    }
  }

  /** Whether the scheduler knows that the request's last allowed token is in flight. */
  #foreseen(request: ReferenceVllmRequest): boolean {
    if (request.phase !== 'decode') return false
    if (this.#prefillOnly) return true
    return !request.endsEarly && request.emitted + this.#inFlight(request) >= request.output
  }

  #fill(members: Member[], now: bigint): boolean {
    let preempted = false
    const decoding = (): ReferenceVllmRequest[] =>
      this.running.filter((request) => request.phase === 'decode' && !request.leaving)
    const reserved = (): number => decoding().filter((request) => this.#lacks(request, 1) > 0).length
    while (reserved() > this.kv.free.length) {
      preempted = true
      this.#preempt(this.#victim(), members, now)
    }
    let budget = this.#options.maxBatchedTokens - decoding().length
    round: for (const request of this.running.filter((one) => one.phase === 'prefill' && !one.promptDone)) {
      while (request.phase === 'prefill') {
        const tokens = Math.min(request.known - request.computed, this.#threshold, budget)
        if (tokens <= 0) break
        const blocks = this.#lacks(request, tokens)
        if (blocks <= this.kv.free.length - reserved()) {
          this.#allocate(request, blocks)
          this.#schedule(request, tokens, members)
          budget -= tokens
          break
        }
        preempted = true
        const victim = this.#victim()
        budget += victim.phase === 'decode' ? 1 : (members.find((member) => member.request === victim)?.tokens ?? 0)
        this.#preempt(victim, members, now)
        if (victim === request) break round
      }
    }
    for (const request of decoding()) this.#allocate(request, this.#lacks(request, 1))
    if (!preempted) this.#admit(members, budget, now, reserved)
    for (const request of decoding()) {
      this.#allocate(request, this.#lacks(request, 1))
      this.#schedule(request, 1, members)
    }
    return preempted
  }

  /**
   * The same for one replica that prefills and decodes, and the last admitted as victims, as vLLM's loop does it: each request
   * of the running list in its turn gets what it wants of the budget and of the blocks that those before it have left.
   */
  #fillInOrder(members: Member[], now: bigint): boolean {
    let preempted = false
    let budget = this.#options.maxBatchedTokens
    turn: for (const request of [...this.running]) {
      while (!request.leaving && (request.phase === 'decode' || (request.phase === 'prefill' && !request.promptDone))) {
        const wanted = request.phase === 'decode' ? 1 : request.known - request.computed
        const tokens = Math.min(wanted, this.#threshold, budget)
        if (tokens <= 0) break
        const blocks = this.#lacks(request, tokens)
        if (blocks <= this.kv.free.length) {
          this.#allocate(request, blocks)
          this.#schedule(request, tokens, members)
          budget -= tokens
          break
        }
        preempted = true
        const victim = this.#victim()
        this.#preempt(victim, members, now)
        if (victim === request) break turn
      }
    }
    const unserved = (): ReferenceVllmRequest[] =>
      this.running.filter((one) => one.phase === 'decode' && !one.leaving && !members.some((it) => it.request === one))
    const reserved = (): number => unserved().filter((one) => this.#lacks(one, 1) > 0).length
    if (!preempted) this.#admit(members, budget, now, reserved)
    for (const swappedIn of unserved()) {
      this.#allocate(swappedIn, this.#lacks(swappedIn, 1))
      this.#schedule(swappedIn, 1, members)
    }
    return preempted
  }

  /** Blocks that the request's next `tokens` tokens need beyond those it has. */
  #lacks(request: ReferenceVllmRequest, tokens: number): number {
    return Math.max(0, this.kv.blocksFor(request.computed + tokens) - request.room)
  }

  #allocate(request: ReferenceVllmRequest, blocks: number): void {
    this.kv.allocate(request, blocks)
    request.room += blocks
  }

  #schedule(request: ReferenceVllmRequest, tokens: number, members: Member[]): void {
    const chunk = request.phase !== 'decode'
    const context = request.computed
    request.computed += tokens
    const samples = !chunk || request.computed === request.known
    if (chunk) request.promptDone = samples
    members.push({ request, tokens, context, samples, chunk, dropped: false })
    if (chunk) this.#making.push(...this.kv.commit(request, request.computed))
  }

  #admit(members: Member[], budgetLeft: number, now: bigint, reserved: () => number): void {
    let budget = budgetLeft
    let first = true
    while (this.waiting.length > 0 && budget > 0 && this.slots < this.#options.maxSequences) {
      const request = this.#head()
      if (request.host > 0) {
        if (!this.#swapIn(request, now, reserved())) return
        budget -= 1
        continue
      }
      const cached = this.kv.match(request.leaf, Math.floor((request.known - 1) / this.kv.blockSize))
      const cap = Math.floor((request.known - 1) / this.kv.blockSize)
      const loaded = this.kv.hostMatch(request.leaf, cached.length, cap)
      const context = (cached.length + loaded) * this.kv.blockSize
      const wanted = Math.min(request.known - context, this.#threshold)
      if (!this.#options.chunkedPrefill && wanted > budget) {
        if (this.slots > 0) return
        this.waiting.splice(this.waiting.indexOf(request), 1)
        request.phase = 'gone'
        this.#around.failed(request)
        continue
      }
      const tokens = Math.min(wanted, budget)
      const rule = this.#options.reserve ?? 'asNeeded'
      const taken =
        rule === 'maximum'
          ? this.most(request)
          : this.kv.blocksFor(rule === 'prompt' ? request.known : context + tokens)
      const goal =
        (rule === 'asNeeded' || rule === 'guarantee') && this.#options.reserveFullPrompt
          ? this.kv.blocksFor(request.known)
          : taken
      const revived = cached.filter((block) => block.holders === 0).length
      const spare = this.slots > 0 ? Math.floor(this.#options.watermark * this.kv.total) : 0
      if (!this.#fits(request, goal - cached.length + revived + reserved(), spare)) return
      if (first && this.#holdsBack(request)) return
      first = false
      this.promised.add(request)
      this.#dequeue(request)
      this.running.push(request)
      for (const block of cached) this.kv.hold(block)
      request.shared = cached
      request.phase = 'prefill'
      request.computed = context
      const found = cached.length + loaded
      request.room = found
      if (loaded > 0) this.#making.push(...this.kv.load(request, loaded))
      this.#loaded += loaded
      this.#allocate(request, taken - found)
      this.#around.observer.admitted(
        request.id,
        seconds(now),
        this.#replica,
        context,
        request.known,
        request.preemptions,
      )
      this.#schedule(request, tokens, members)
      budget -= tokens
    }
  }

  /** Whether prompts wait for company, the first of them being able to come in. */
  #holdsBack(request: ReferenceVllmRequest): boolean {
    const { batchWait, maxBatchedTokens } = this.#options
    const decoding = this.running.filter((one) => one.phase === 'decode' && !one.leaving).length
    const tokens = decoding + this.waiting.length * request.known
    if (batchWait !== undefined && decoding > 0 && this.#held < batchWait.steps) {
      if (tokens < batchWait.tokenShare * maxBatchedTokens) {
        this.#held += 1
        return true
      }
    }
    this.#held = 0
    return false
  }

  /** Brings a request back from the host; false when there is no room. */
  #swapIn(request: ReferenceVllmRequest, now: bigint, reserved: number): boolean {
    const spare = this.slots > 0 ? Math.floor(this.#options.watermark * this.kv.total) : 0
    const blocks = this.#options.reserve === 'maximum' ? this.most(request) : this.kv.blocksFor(request.known)
    if (!this.#fits(request, blocks + reserved, spare)) return false
    this.promised.add(request)
    this.#dequeue(request)
    this.running.push(request)
    this.#copied += request.host
    request.host = 0
    request.computed = request.known - 1
    request.room = 0
    this.#allocate(request, this.#options.reserve === 'maximum' ? blocks : this.kv.blocksFor(request.computed))
    this.#making.push(...this.kv.commit(request, request.computed))
    const { id, computed, known, preemptions } = request
    this.#around.observer.admitted(id, seconds(now), this.#replica, computed, known, preemptions)
    request.phase = 'decode'
    request.joinOrder = this.#joins++
    return true
  }

  get #hostUsed(): number {
    return this.waiting.reduce((sum, request) => sum + request.host, 0)
  }

  get #threshold(): number {
    return this.#options.longPrefillThreshold > 0 ? this.#options.longPrefillThreshold : Number.POSITIVE_INFINITY
  }

  #duration(members: Member[]): bigint {
    const { cost, attentionWindowTokens } = this.#around.pool
    return stepDuration(cost, attentionWindowTokens, members)
  }

  #copying(): bigint {
    const ticks = Math.round(this.#copied * (this.#options.swap?.secondsPerBlock ?? 0) * 2 ** 44)
    const loading = Math.round(this.#loaded * (this.#options.hostCache?.secondsPerBlock ?? 0) * 2 ** 44)
    this.#copied = 0
    this.#loaded = 0
    return BigInt(ticks) + BigInt(loading)
  }

  #victim(): ReferenceVllmRequest {
    const candidates = this.running.filter((request) => !request.leaving)
    if (this.#scheduler.victim === 'lastAdmitted') return candidates.at(-1)!
    return candidates.reduce((worst, request) => {
      const difference = this.#byRank(request, worst)
      return difference > 0 || (difference === 0 && request.id > worst.id) ? request : worst
    })
  }

  #byRank(a: ReferenceVllmRequest, b: ReferenceVllmRequest): number {
    const [rankA, rankB] = [this.#rank(a), this.#rank(b)]
    return rankA === rankB ? 0 : rankA < rankB ? -1 : 1
  }

  #rank(request: ReferenceVllmRequest): number {
    return this.#scheduler.rank!(this.#described(request))
  }

  #described(request: ReferenceVllmRequest): QueuedRequest {
    const { draft } = request
    return {
      arrivalSeconds: draft.arrival.seconds + draft.arrival.ticks / 2 ** 44,
      deadlineSeconds: draft.arrival.seconds + draft.arrival.ticks / 2 ** 44 + draft.timeoutSeconds,
      inputTokens: request.input,
      maxOutputTokens: request.maxTokens,
      priority: draft.priority,
      tenant: draft.tenant,
      serviceClass: draft.serviceClass,
    }
  }

  /** The queue as a dynamic order sees it: what was served is counted anew from all that ever ran here. */
  #view(): QueueView {
    const known = (at: number): ReferenceVllmRequest => this.waiting[at]!
    return {
      count: this.waiting.length,
      request: (at) => this.#described(known(at)),
      cachedTokens: (at) =>
        this.kv.match(known(at).leaf, Math.floor((known(at).known - 1) / this.kv.blockSize)).length * this.kv.blockSize,
      servedInput: (tenant) =>
        this.#served
          .filter(({ request, first }) => first && request.draft.tenant === tenant)
          .reduce((sum, { request }) => sum + request.input, 0),
      servedOutput: (tenant) =>
        this.#served
          .filter(({ request }) => request.draft.tenant === tenant)
          .reduce((sum, { request, before, after }) => sum + (after ?? request.emitted) - before, 0),
    }
  }

  #head(): ReferenceVllmRequest {
    return this.waiting[this.#picker?.pick(this.#view()) ?? 0]!
  }

  #dequeue(request: ReferenceVllmRequest): void {
    this.waiting.splice(this.waiting.indexOf(request), 1)
    this.#served.push({ request, first: request.preemptions === 0, before: request.emitted, after: undefined })
    this.#picker?.admitted?.(this.#described(request))
  }

  /** The request runs here no longer. */
  #close(request: ReferenceVllmRequest): void {
    for (const segment of this.#served) if (segment.request === request) segment.after ??= request.emitted
  }

  #queue(request: ReferenceVllmRequest): void {
    this.#picker?.joined?.(this.#described(request), this.#view())
    if (this.#scheduler.rank === undefined) {
      this.waiting.push(request)
      return
    }
    this.waiting.push(request)
    this.waiting.sort((a, b) => this.#byRank(a, b) || a.id - b.id)
  }

  #preempt(request: ReferenceVllmRequest, members: Member[], now: bigint): void {
    const decoded = request.phase === 'decode'
    const mine = members.findIndex((member) => member.request === request)
    const { computed } = request
    if (mine >= 0) members.splice(mine, 1)
    this.#remove(request, now)
    request.computed = 0
    const last = this.#prefillOnly || request.emitted + 1 >= request.maxTokens
    const needed = this.kv.blocksFor(request.known + (last ? 0 : 1))
    if (needed > this.kv.total) {
      request.phase = 'gone'
      this.#around.failed(request)
      return
    }
    request.phase = 'waiting'
    request.preemptions += 1
    const kept = this.kv.blocksFor(request.known - 1)
    const { swap } = this.#options
    if (decoded && request.emitted > 0 && swap !== undefined && this.#hostUsed + kept <= swap.hostBlocks) {
      request.host = kept
      this.#copied += kept
    }
    if (this.#scheduler.rank === undefined) this.waiting.unshift(request)
    else this.#queue(request)
    this.#around.observer.preempted(request.id, seconds(now), this.#replica, computed)
    this.#around.preempted(request)
  }

  #depart(request: ReferenceVllmRequest, now: bigint): void {
    const inserted = this.inserted.indexOf(request)
    if (inserted >= 0) {
      this.inserted.splice(inserted, 1)
      this.promised.delete(request)
      this.kv.release(request)
    } else {
      this.#remove(request, now)
    }
    request.phase = 'gone'
    this.#around.finished(request)
  }

  /** Takes a running request out; a token in flight is discarded. */
  #remove(request: ReferenceVllmRequest, now: bigint): void {
    this.promised.delete(request)
    this.running.splice(this.running.indexOf(request), 1)
    this.#close(request)
    for (const step of this.flight) {
      for (const member of step.members) if (member.request === request) member.dropped = true
    }
    const fresh = this.kv.commit(request, Math.min(request.computed, request.known))
    const flying = this.flight[0]
    if (flying === undefined) this.kv.show(fresh, now + this.#around.cacheDelay)
    else flying.made.push(...fresh)
    this.kv.release(request)
  }
}
