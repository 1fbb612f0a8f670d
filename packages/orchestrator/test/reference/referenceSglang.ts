import type { Observer, Scheduler, SglangOptions } from '../../src/index.ts'
import type { SglangTestPool } from './randomSglang.ts'
import { type StepMember, stepDuration } from './referenceDuration.ts'
import { ReferenceRadix } from './referenceRadix.ts'
import type { ReferenceEngine, ReferenceSurroundings } from './referenceReplica.ts'
import type { ReferenceSglangRequest } from './referenceSglangRequest.ts'
import { seconds } from './referenceTime.ts'

interface Member extends StepMember {
  request: ReferenceSglangRequest
  dropped: boolean
}

interface Step {
  members: Member[]
  start: bigint
  end: bigint
}

/** SGLang for one replica, one sequence and one step at a time. */
export class ReferenceSglang implements ReferenceEngine<ReferenceSglangRequest> {
  readonly kv: ReferenceRadix
  readonly waiting: ReferenceSglangRequest[] = []
  /** Requests that decode, in the order in which they began to. */
  readonly running: ReferenceSglangRequest[] = []
  /** Requests with a slot here: prefilling, decoding, or transferred and not joined. */
  readonly inside = new Set<ReferenceSglangRequest>()
  /** Requests that came since the engine last looked for new ones, and decode steps composed since. */
  unreceived: ReferenceSglangRequest[] = []
  #sinceReceived = 0
  /** What was composed last, if anything was. */
  #composed: 'nothing' | 'decodes' | 'prompts' = 'nothing'
  inserted: ReferenceSglangRequest[] = []
  departures: ReferenceSglangRequest[] = []
  /** Transfers under way to here. */
  reserved = 0
  composeAt: bigint | undefined
  flight: Step[] = []
  /** Steps with decodes that had more than one sequence retracted, for the tests. */
  retractions = 0
  #chunked: ReferenceSglangRequest | undefined
  /** Prompts that the last composed step completes, and that have not joined. */
  #completed: ReferenceSglangRequest[] = []
  #full = false
  #ratioBase: number
  #ratioSteps = 0
  readonly #around: ReferenceSurroundings<ReferenceSglangRequest, SglangTestPool>
  readonly #replica: number
  readonly #options: SglangOptions
  readonly #prefillOnly: boolean
  readonly #scheduler: Scheduler
  readonly #observer: Observer

  constructor(around: ReferenceSurroundings<ReferenceSglangRequest, SglangTestPool>) {
    this.#around = around
    this.#replica = around.replica
    const { options, role, scheduler } = around.pool
    this.#options = options
    this.#prefillOnly = role === 'prefill'
    this.#scheduler = scheduler
    this.#observer = around.observer
    const { totalBlocks, blockSize, prefixCache } = options
    this.kv = new ReferenceRadix(totalBlocks, blockSize, prefixCache, around.tree, () => this.#here())
    this.kv.cacheDelay = around.cacheDelay
    this.#ratioBase = this.#initialRatio
  }

  /** Requests that hold pages here: where they are, or where they come from during a transfer. */
  #here(): ReferenceSglangRequest[] {
    return this.#around.requests.filter((one) => (one.source >= 0 ? one.source : one.replica) === this.#replica)
  }

  get waitingRequests(): number {
    return this.waiting.length + this.unreceived.length
  }

  get endsAt(): bigint | undefined {
    return this.flight[0]?.end
  }

  kvUse(): number {
    return this.kv.used / this.kv.total
  }

  cachedTokens({ draft, input }: ReferenceSglangRequest, now: bigint): number {
    return this.kv.visible(draft.prompt, input, now)
  }

  /** Free, cached and private pages, and those kept for transfers, are all the pages there are. */
  check(): void {
    let pages = this.kv.free + this.kv.pages.size
    for (const request of this.#here()) pages += request.own
    for (const request of this.#around.requests) if (request.target === this.#replica) pages += request.received
    if (pages !== this.kv.total) throw new Error(`${pages} pages where there are ${this.kv.total}`)
  }

  get #initialRatio(): number {
    return Math.min(1, 0.7 * this.#options.conservativeness)
  }

  get #ratio(): number {
    const floor = Math.min(1, this.#initialRatio * 0.14)
    return Math.max(floor, this.#ratioBase - ((this.#initialRatio - floor) / 600) * this.#ratioSteps)
  }

  get #allTokens(): number {
    return this.kv.total * this.kv.page
  }

  refuses(request: ReferenceSglangRequest): boolean {
    return request.input + request.maxTokens > this.#options.maxModelLength || this.#neverFits(request.input + 1)
  }

  #neverFits(tokens: number): boolean {
    return tokens + this.kv.page > this.#allTokens
  }

  #limit(request: ReferenceSglangRequest): number {
    const most = this.#allTokens - request.input - this.kv.page - 1
    return Math.min(this.#prefillOnly ? 1 : request.maxTokens, most)
  }

  wake(now: bigint): void {
    if (this.flight.length === 0 && this.composeAt === undefined) this.composeAt = now
  }

  enqueue(request: ReferenceSglangRequest, now: bigint): void {
    request.phase = 'waiting'
    if ((this.#options.receiveInterval ?? 1) > 1) this.unreceived.push(request)
    else this.#queue(request)
    this.wake(now)
  }

  abandon(request: ReferenceSglangRequest, now: bigint): void {
    request.clientLeft = true
    if (request.phase === 'waiting') {
      const queue = this.unreceived.includes(request) ? this.unreceived : this.waiting
      queue.splice(queue.indexOf(request), 1)
      this.#around.finished(request)
    } else this.departures.push(request)
    this.wake(now)
  }

  reserveIncoming(request: ReferenceSglangRequest): boolean {
    const pages = this.kv.pagesFor(request.input)
    const others = this.inside.size + this.reserved
    if (others >= this.#options.maxSequences) return false
    const tokens = pages * this.kv.page
    const wanted = others === 0 ? tokens + this.kv.page : tokens + this.#options.reservedDecodeTokens * (others + 1)
    if (wanted > this.kv.room * this.kv.page) return false
    this.kv.take(pages)
    request.received = pages
    this.reserved += 1
    return true
  }

  insert(request: ReferenceSglangRequest, now: bigint): void {
    this.reserved -= 1
    this.inside.add(request)
    this.inserted.push(request)
    request.own = request.received
    request.received = 0
    request.phase = 'decode'
    request.computed = request.input
    this.kv.commit(request, request.input, now)
    this.wake(now)
  }

  cancelIncoming(request: ReferenceSglangRequest, now: bigint): void {
    this.reserved -= 1
    this.kv.free += request.received
    request.received = 0
    this.#full = false
    this.wake(now)
  }

  releaseTransferred(request: ReferenceSglangRequest, now: bigint): void {
    this.kv.release(request)
    this.#full = false
    this.wake(now)
  }

  // ---- composition ---------------------------------------------------------------------------------------------------

  compose(now: bigint): void {
    this.composeAt = undefined
    this.#receive()
    for (const request of this.departures.splice(0)) this.#depart(request, now)
    if (this.#chunked !== undefined) this.kv.commit(this.#chunked, this.#chunked.computed, now, this.flight.length > 0)
    this.#join()
    for (;;) {
      const members: Member[] = []
      let retracted = false
      const prefill = this.#formPrefill(members, now)
      if (!prefill) retracted = this.#retractForRoom(now)
      if (!prefill || this.#options.mixedChunk) this.#scheduleDecodes(members)
      if (members.length > 0) return this.#start(members, now, retracted)
      this.#composed = 'nothing'
      if (this.flight.length > 0) return
      this.#resetRatio()
      if (!retracted && this.unreceived.length === 0) return
      this.#receive()
    }
  }

  /** Takes up what came, after anything but decode steps and after every so many of those. */
  #receive(): void {
    this.#sinceReceived =
      this.#composed === 'decodes' ? (this.#sinceReceived + 1) % (this.#options.receiveInterval ?? 1) : 0
    if (this.#sinceReceived === 0) for (const request of this.unreceived.splice(0)) this.#queue(request)
  }

  #resetRatio(): void {
    this.#ratioBase = this.#initialRatio
    this.#ratioSteps = 0
  }

  #join(): void {
    for (const request of this.#completed.splice(0)) {
      if (this.#prefillOnly) continue
      request.phase = 'decode'
      this.running.push(request)
    }
    for (const request of this.inserted.splice(0)) {
      request.phase = 'decode'
      request.named = true
      this.running.push(request)
    }
  }

  #lacking(): number {
    return this.running.filter((request) => request.computed % this.kv.page === 0).length
  }

  #formPrefill(members: Member[], now: bigint): boolean {
    const { maxSequences, mixedChunk, maxPrefillTokens, chunkedPrefillTokens } = this.#options
    if ((this.#full || this.waiting.length === 0) && this.#chunked === undefined) return false
    const started = this.#chunked === undefined ? 0 : 1
    const most = maxSequences - this.inside.size - this.reserved + started
    if (most <= 0 && this.#chunked === undefined) {
      this.#full = true
      return false
    }
    const mixed = mixedChunk ? this.running.length : 0
    const mixedPages = mixedChunk ? this.#lacking() : 0
    if (mixedPages > this.kv.room) return false
    const { page } = this.kv
    const ceil = (tokens: number): number => Math.ceil(tokens / page) * page
    const clip = 4096
    let forecast = 0
    for (const request of this.running) forecast += Math.min(this.#limit(request) - request.emitted, clip)
    let promised = Math.max(mixed, mixedPages * page) + forecast * this.#ratio
    let input = maxPrefillTokens - mixed
    let chunk = chunkedPrefillTokens > 0 ? chunkedPrefillTokens - mixed : Number.POSITIVE_INFINITY
    let pages = 0
    const schedule = (request: ReferenceSglangRequest, tokens: number): void => {
      const cut = request.computed + tokens < request.known
      const had = this.kv.pagesFor(request.computed)
      members.push({ request, tokens, context: request.computed, samples: !cut, chunk: true, dropped: false })
      request.computed += tokens
      request.own += this.kv.pagesFor(request.computed) - had
      pages += this.kv.pagesFor(request.computed) - had
      promised += ceil(tokens) + page + (cut ? 0 : Math.min(this.#limit(request), clip))
      input -= ceil(tokens)
      chunk -= ceil(tokens)
      this.#chunked = cut ? request : this.#chunked === request ? undefined : this.#chunked
    }
    if (this.#chunked !== undefined) {
      const request = this.#chunked
      const limit = Math.min(chunk, Math.floor(this.kv.room * page - promised))
      const fit = (this.kv.room - mixedPages + this.kv.pagesFor(request.computed)) * page - request.computed
      const tokens = Math.min(request.known - request.computed, limit > 0 ? limit : chunk, fit)
      if (tokens <= 0) return false
      schedule(request, tokens)
    }
    for (const request of this.#order()) {
      if (this.#full) break
      if (members.length >= most) {
        this.#full = true
        break
      }
      const hit = this.kv.match(request)
      const extend = request.known - hit.length * page
      const room = (this.kv.room - this.kv.evictableAmong(hit)) * page
      const still = Math.max(0, Math.min(this.#limit(request) - request.emitted, clip))
      if (extend + still + page >= room - promised) {
        this.#full = true
        break
      }
      if (chunkedPrefillTokens === 0 && members.length > 0 && ceil(extend) >= input) break
      const tokens = ceil(extend) <= chunk ? extend : Math.floor(chunk / page) * page
      if (tokens <= 0 || (tokens < extend && this.#chunked !== undefined)) break
      this.waiting.splice(this.waiting.indexOf(request), 1)
      this.inside.add(request)
      request.phase = 'prefill'
      request.held = hit
      request.computed = hit.length * page
      this.#observer.admitted(
        request.id,
        seconds(now),
        this.#replica,
        request.computed,
        request.known,
        request.preemptions,
      )
      schedule(request, tokens)
      if (this.kv.room * page - promised <= 0) this.#full = true
      else if (input <= 0 || chunk <= 0) break
    }
    if (members.length === 0) return false
    this.kv.take(pages)
    return true
  }

  /** Waiting requests in the order of this round. */
  #order(): ReferenceSglangRequest[] {
    const { policy, prefixCache } = this.#options
    const ranked = this.#scheduler.rank !== undefined
    if (policy !== 'lpm' || !prefixCache || ranked || this.waiting.length > 128) return [...this.waiting]
    const first: ReferenceSglangRequest[] = []
    const entries = this.waiting.map((request) => {
      const matched = this.kv.match(request).length * this.kv.page
      let late = false
      if (matched <= 32) {
        late = first.some((other) => this.kv.common(request, other) >= 32)
        if (!late) first.push(request)
      }
      return { request, matched, late }
    })
    const onTime = entries.filter((entry) => !entry.late).sort((a, b) => b.matched - a.matched)
    return [...onTime, ...entries.filter((entry) => entry.late)].map((entry) => entry.request)
  }

  #retractForRoom(now: bigint): boolean {
    const { kv, running } = this
    if (running.length === 0 || this.#lacking() <= kv.room) return false
    const roomFor = (): number => kv.pagesFor(running.length * this.#options.retractDecodeSteps)
    for (let first = true; running.length > 1; first = false) {
      if (!first && roomFor() <= kv.room && this.#lacking() <= kv.room) break
      const order = [...running].sort((a, b) => b.emitted - a.emitted || a.input - b.input)
      this.#retract(order.at(-1)!, now)
      kv.makeRoom(roomFor())
    }
    if (running.length === 1 && this.#lacking() > kv.room) this.#retract(running[0]!, now)
    let produced = 0
    let limits = 0
    for (const request of running) {
      produced += request.emitted
      limits += this.#limit(request)
    }
    this.#ratioBase = Math.min(1, (produced + running.length * this.#options.retractDecodeSteps) / (limits + 1))
    this.#ratioSteps = 0
    if (running.length === 0) this.#resetRatio()
    return true
  }

  #retract(request: ReferenceSglangRequest, now: bigint): void {
    const { computed } = request
    this.#remove(request, this.#options.keepRetractedText, now)
    this.#full = false
    request.computed = 0
    request.named = false
    this.retractions += 1
    if (this.#neverFits(request.known + 1)) {
      request.phase = 'gone'
      this.#around.failed(request)
      return
    }
    request.phase = 'waiting'
    request.preemptions += 1
    this.#queue(request)
    this.#observer.preempted(request.id, seconds(now), this.#replica, computed)
  }

  #scheduleDecodes(members: Member[]): void {
    this.kv.take(this.#lacking())
    for (const request of this.running) {
      if (request.computed % this.kv.page === 0) request.own += 1
      members.push({ request, tokens: 1, context: request.computed, samples: true, chunk: false, dropped: false })
      request.computed += 1
    }
  }

  #start(members: Member[], now: bigint, retracted: boolean): void {
    const decodes = members.some((member) => !member.chunk)
    const chunks = members.filter((member) => member.chunk)
    this.#composed = chunks.length > 0 ? 'prompts' : 'decodes'
    if (decodes && chunks.length === 0 && !retracted) this.#ratioSteps += 1
    if (!decodes) for (const request of this.running) request.named ||= this.#joinedOnly(request)
    this.#completed = chunks.filter((member) => member.samples).map((member) => member.request)
    const start = this.flight.length > 0 ? this.flight.at(-1)!.end : now
    const wasIdle = this.flight.length === 0
    this.flight.push({ members, start, end: start + this.#duration(members) })
    for (const { request, tokens, context } of chunks)
      this.#observer.prefillChunk(request.id, seconds(start), this.#replica, tokens, context)
    for (const member of members) if (!member.chunk) this.#decoded.add(member.request)
    if (this.#options.overlap && wasIdle) this.composeAt = now
  }

  /** Members that have been part of a decode step since they joined. */
  readonly #decoded = new Set<ReferenceSglangRequest>()

  #joinedOnly(request: ReferenceSglangRequest): boolean {
    return !this.#decoded.has(request)
  }

  #duration(members: Member[]): bigint {
    const { cost, attentionWindowTokens } = this.#around.pool
    return stepDuration(cost, attentionWindowTokens, members)
  }

  // ---- step ends -----------------------------------------------------------------------------------------------------

  end(now: bigint): void {
    const step = this.flight.shift()!
    this.kv.land(now)
    const { members } = step
    for (const member of members.filter((one) => !one.chunk)) this.#emitDecode(member, now)
    for (const member of members.filter((one) => one.chunk && one.samples)) this.#emitPrompt(member, now)
    this.composeAt = now
    if (this.flight.length > 0 || this.inside.size + this.reserved + this.waitingRequests > 0) return
    this.#resetRatio()
    this.#composed = 'nothing'
  }

  #emitDecode({ request, dropped }: Member, now: bigint): void {
    if (dropped || request.phase === 'gone') return
    // A request whose client has left counts in the gaps of the steps until it is dropped, but is not told of by name.
    if (!(request.named && request.clientLeft))
      this.#observer.tokenGap(request.id, seconds(now), Number(now - request.lastToken))
    request.named = false
    request.emitted += 1
    request.lastToken = now
    if (request.emitted === request.output) this.#finish(request, now)
  }

  #emitPrompt({ request, dropped, context, tokens }: Member, now: bigint): void {
    if (dropped || request.phase === 'gone') return
    if (!request.clientLeft && request.emitted === 0) this.#observer.firstToken(request.id, seconds(now))
    else if (!request.clientLeft) this.#observer.tokenGap(request.id, seconds(now), Number(now - request.lastToken))
    request.emitted += 1
    request.lastToken = now
    if (request.emitted === request.output) return this.#finish(request, now)
    this.kv.commit(request, context + tokens, now)
    if (!this.#prefillOnly) return
    this.#outside(request)
    this.#full = false
    request.phase = 'transferring'
    this.#around.prefilled(request)
  }

  #finish(request: ReferenceSglangRequest, now: bigint): void {
    this.#outside(request)
    // The last token is never computed; all text before it is, and enters the tree.
    this.kv.commit(request, request.known - 1, now)
    this.kv.release(request)
    this.#full = false
    request.phase = 'gone'
    this.#around.finished(request)
  }

  /** Takes the request out of all lists of the engine. */
  #outside(request: ReferenceSglangRequest): void {
    this.inside.delete(request)
    this.#decoded.delete(request)
    for (const list of [this.running, this.departures, this.inserted, this.#completed]) {
      const at = list.indexOf(request)
      if (at >= 0) list.splice(at, 1)
    }
    if (this.#chunked === request) this.#chunked = undefined
  }

  #depart(request: ReferenceSglangRequest, now: bigint): void {
    this.#remove(request, true, now)
    this.#full = false
    request.phase = 'gone'
    this.#around.finished(request)
  }

  /** Takes a request out with what it has in flight; its computed known text enters the tree when `keep`. */
  #remove(request: ReferenceSglangRequest, keep: boolean, now: bigint): void {
    const waits = this.inserted.includes(request)
    this.#outside(request)
    for (const step of this.flight)
      for (const member of step.members) if (member.request === request) member.dropped = true
    if (keep && !waits) this.kv.commit(request, Math.min(request.computed, request.known), now, this.flight.length > 0)
    this.kv.release(request)
  }

  #queue(request: ReferenceSglangRequest): void {
    this.waiting.push(request)
    if (this.#scheduler.rank !== undefined) this.waiting.sort((a, b) => this.#rank(a) - this.#rank(b) || a.id - b.id)
  }

  #rank(request: ReferenceSglangRequest): number {
    const { draft } = request
    return this.#scheduler.rank!({
      arrivalSeconds: draft.arrival.seconds + draft.arrival.ticks / 2 ** 44,
      deadlineSeconds: draft.arrival.seconds + draft.arrival.ticks / 2 ** 44 + draft.timeoutSeconds,
      inputTokens: request.input,
      maxOutputTokens: request.maxTokens,
      priority: draft.priority,
      tenant: draft.tenant,
      serviceClass: draft.serviceClass,
    })
  }
}
