import { type DecodePiece, emptyBatch, type StepBatch } from '@windtunnel/cost/step/stepCost'
import { copyTime, TICKS_PER_SECOND, type Time, ticksBetween, toSeconds } from '@windtunnel/des'
import type { CacheHolders } from '../../kv/cacheHolders.ts'
import { RadixMemory } from '../../kv/radixMemory.ts'
import { NO_SLOT, PHASE, type RequestTable } from '../../requests.ts'
import type { Scheduler } from '../../schedulers/index.ts'
import { DecodeGroup } from '../decodeGroup.ts'
import { type Engine, type EngineContext, ORDER } from '../engine.ts'
import { queuedRequest } from '../queuedRequest.ts'
import { queueFor } from '../queueFor.ts'
import type { WaitingQueue } from '../waitingQueue.ts'
import { LONGEST_PREFIX_QUEUE, longestPrefixFirst } from './longestPrefix.ts'
import { NewTokenRatio } from './newTokenRatio.ts'
import { FORECAST_CLIP_TOKENS, PrefillBudget } from './prefillBudget.ts'
import { RunningForecast } from './runningForecast.ts'
import type { SglangOptions } from './sglangOptions.ts'
import { SglangRun } from './sglangRun.ts'

/**
 * SGLang for one replica: a prefill batch whenever one can be formed, else a decode step; admission by tokens with a
 * forecast; a radix tree over the KV memory; retraction; optionally overlapped scheduling. The rules are in SEMANTICS.md;
 * this is their fast form: running requests are sums (DecodeGroup, RunningForecast), and decode steps of one composition
 * advance together as one SglangRun.
 *
 * Decode steps are skipped together until the first of: a request's last token; the end of the cost's affine piece; the
 * step whose pages are neither free nor evictable (then somebody is retracted); an arrival, unless the engine is full; a
 * transfer or a departure. The new-token ratio falls with every step, but it is read only when a prefill batch is tried,
 * and after a refusal for memory (`full`) none is tried until a running request leaves: the ratio never ends a run, and
 * its value is worked out from the count of steps. Evictions do not end a run either: they are made when somebody looks,
 * step by step in the order in which they fall due.
 */
export class SglangEngine implements Engine {
  readonly kv: RadixMemory
  readonly ratio: NewTokenRatio
  /** Steps composed and not yet ended: `current` runs, `next` (overlap only) begins when it ends. */
  #current: SglangRun | undefined
  #next: SglangRun | undefined
  readonly #spare = [new SglangRun(), new SglangRun(), new SglangRun()]
  /** The run whose completed prompts have not yet joined the running requests. */
  #joinFrom: SglangRun | undefined
  #lastComposed: SglangRun | undefined
  #settled = 0
  #due = false
  readonly #dueAt: Time = { seconds: 0, ticks: 0 }
  /** In the last step of `current`, composing `next` has been tried. */
  #attempted = false
  readonly #group: DecodeGroup
  readonly #members: RunningForecast
  #waiting: WaitingQueue
  /** The prompt that was cut and goes on in the next prefill batch. */
  #chunked = NO_SLOT
  /** Requests that join in this composition: those completed by the last step, of which so many are in flight. */
  readonly #fresh: number[] = []
  #flying = 0
  #insertedNow = 0
  /** Running requests that have not decoded yet although their prompt ended before the last step, or came by transfer. */
  readonly #late: number[] = []
  readonly #departures: number[] = []
  readonly #inserted: number[] = []
  /** Requests that came since the engine last looked for new ones (`receiveInterval` above 1). */
  readonly #unreceived: number[] = []
  /** Decode steps composed since it looked, up to and without the first step of the run composed last. */
  #sinceReceived = 0
  /** Steps of the run composed last, of which none is left in progress; 0: it was no decode, or the engine idled. */
  #endedDecodes = 0
  readonly #order: number[] = []
  /** Room given to transfers that have not joined yet. */
  #reserved = 0
  /** A request did not fit: nobody is looked at until a running one leaves (SGLang's batch_is_full). */
  #full = false
  #running = 0
  #stepsDone = 0
  /** End of the last decode step that has ended. */
  readonly #decodeEnd: Time = { seconds: 0, ticks: 0 }
  readonly #lag: 0 | 1
  readonly #receiveInterval: number
  readonly #budget: PrefillBudget
  #scheduler: Scheduler
  readonly #context: EngineContext
  readonly #options: SglangOptions
  readonly #table: RequestTable
  readonly #batch: StepBatch = emptyBatch()
  readonly #piece: DecodePiece = { baseSeconds: 0, slopeSeconds: 0, windowSlopeSeconds: 0, validUntilContextTokens: 0 }
  readonly #at: Time = { seconds: 0, ticks: 0 }
  readonly #start: Time = { seconds: 0, ticks: 0 }
  readonly #produced = (slot: number): number => this.#producedBy(slot)

  constructor(context: EngineContext, options: SglangOptions) {
    this.#context = context
    this.#options = options
    this.#table = context.table
    this.#lag = options.overlap ? 1 : 0
    this.#receiveInterval = options.receiveInterval ?? 1
    this.kv = new RadixMemory(options, context.table, context.tree)
    this.ratio = new NewTokenRatio(options.conservativeness)
    this.#budget = new PrefillBudget(options.blockSize)
    this.#group = new DecodeGroup(context.table, options.blockSize, context.attentionWindowTokens)
    this.#members = new RunningForecast(context.table, this.#group, (slot) => this.#limit(slot))
    this.#scheduler = context.scheduler
    this.#waiting = this.#queueFor(context.scheduler)
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.length + this.#unreceived.length
  }

  get usedBlocks(): number {
    return this.kv.usedPages
  }

  get peakUsedBlocks(): number {
    return this.kv.peakUsedPages
  }

  get totalBlocks(): number {
    return this.kv.totalPages
  }

  get stepsDone(): number {
    return this.#stepsDone
  }

  refuses(slot: number): string | undefined {
    const table = this.#table
    const options = this.#options
    const input = table.inputTokens[slot]!
    const limit = table.maxTokens[slot]!
    if (input + limit > options.maxModelLength) {
      return `prompt of ${input} tokens and max_tokens ${limit} exceed the maximum model length of ${options.maxModelLength}`
    }
    return this.#outgrown(input + 1)
  }

  /** Why a text of `tokens` tokens can never run here; undefined when it can. */
  #outgrown(tokens: number): string | undefined {
    const page = this.#options.blockSize
    const all = this.kv.totalPages * page
    if (tokens + page <= all) return undefined
    return `${tokens} tokens and a page of ${page} need more than the ${all} tokens of KV memory of the replica`
  }

  nextEvent(into: Time): number | undefined {
    const current = this.#current
    if (current === undefined) {
      if (!this.#due) return undefined
      copyTime(into, this.#dueAt)
      return ORDER.compose
    }
    if (this.#composesEarly()) {
      current.boundary(current.steps - 1, into)
      return ORDER.compose
    }
    current.boundary(current.steps, into)
    return ORDER.stepEnd
  }

  handle(now: Time): void {
    const current = this.#current
    this.kv.visibility.setNow(now)
    if (current === undefined) {
      this.#due = false
      this.#compose(now, now)
    } else if (this.#composesEarly()) {
      this.#attempted = true
      this.#compose(now, current.boundary(current.steps, this.#start))
    } else {
      this.#end(current, now)
    }
  }

  #composesEarly(): boolean {
    return this.#lag === 1 && this.#next === undefined && !this.#attempted
  }

  enqueue(slot: number, now: Time): void {
    const table = this.#table
    table.phase[slot] = PHASE.waiting
    table.replica[slot] = this.#context.replica
    if (this.#receiveInterval > 1) {
      this.#unreceived.push(slot)
      this.#wakeToReceive(now)
      return
    }
    this.#waiting.push(slot)
    if (!this.#full) this.#wake(now)
  }

  setScheduler(scheduler: Scheduler, now: Time): void {
    const old = this.#waiting
    this.#waiting = this.#queueFor(scheduler)
    this.#scheduler = scheduler
    while (old.length > 0) {
      const slot = old.head()
      old.remove(slot)
      this.#waiting.push(slot)
    }
    this.#full = false
    if (this.#waiting.length > 0) this.#wake(now)
  }

  reserveIncoming(slot: number, now: Time): boolean {
    this.#settleBy(now)
    const { kv } = this
    const { maxSequences, reservedDecodeTokens, blockSize } = this.#options
    const pages = kv.pagesFor(this.#table.inputTokens[slot]!)
    const others = this.#running
    if (others >= maxSequences) return false
    const wanted = others === 0 ? (pages + 1) * blockSize : pages * blockSize + reservedDecodeTokens * (others + 1)
    if (wanted > kv.roomPages * blockSize) return false
    this.#running += 1
    this.#reserved += 1
    kv.take(pages)
    this.#table.incomingBlocks[slot] = pages
    const run = this.#lastComposed
    if (run !== undefined && run.sequences > 0)
      run.steps = this.#settled + this.#group.stepsThatFit(kv.roomPages, run.steps - this.#settled)
    return true
  }

  insert(slot: number, now: Time): void {
    this.#settleBy(now)
    this.kv.visibility.setNow(now)
    const table = this.#table
    table.phase[slot] = PHASE.decode
    table.replica[slot] = this.#context.replica
    table.computed[slot] = table.inputTokens[slot]!
    table.joinStep[slot] = Number.POSITIVE_INFINITY
    table.privateBlocks[slot] = table.incomingBlocks[slot]!
    this.#inserted.push(slot)
    this.kv.commit(slot, table.inputTokens[slot]!)
    this.#wake(now)
  }

  cancelIncoming(slot: number, now: Time): void {
    this.#settleBy(now)
    this.kv.giveBack(this.#table.incomingBlocks[slot]!)
    this.#running -= 1
    this.#reserved -= 1
    this.#full = false
    this.#wake(now)
  }

  releaseTransferred(slot: number, now: Time): void {
    this.#settleBy(now)
    this.kv.release(slot)
    this.kv.forget(slot)
    this.#full = false
    if (this.#waiting.length > 0) this.#wake(now)
  }

  abandon(slot: number, now: Time): void {
    const table = this.#table
    table.clientLeft[slot] = 1
    if (table.phase[slot] === PHASE.waiting) {
      if (!remove(this.#unreceived, slot)) this.#waiting.remove(slot)
      this.kv.forget(slot)
      this.#context.finished(slot, now)
      return
    }
    this.#departures.push(slot)
    this.#wake(now)
  }

  emittedBy(slot: number, now: Time): number {
    const table = this.#table
    if (table.phase[slot] !== PHASE.decode) return table.emitted[slot]!
    const ended = this.#decodeStepsEndedBy(now)
    return ended <= table.joinStep[slot]!
      ? table.emitted[slot]!
      : Math.min(table.outputTokens[slot]!, this.#group.emittedAt(slot, ended))
  }

  report(now: Time): void {
    const current = this.#current
    if (current !== undefined) this.#report(current, Math.min(current.endedBy(now), current.steps - 1))
  }

  cachedTokens(leaf: number, inputTokens: number, now: Time): number {
    this.#settleBy(now)
    const page = this.kv.pageTokens
    return this.kv.seenPages(leaf, Math.floor((inputTokens - 1) / page), now) * page
  }

  tellHolders(holders: CacheHolders): void {
    this.kv.tellHolders(holders, this.#context.replica)
  }

  delayCacheEvents(seconds: number): void {
    this.kv.visibility.setDelay(seconds)
  }

  contextTokensAt(now: Time): number {
    this.#settleBy(now)
    return this.#group.contextTokens - this.#group.sequences
  }

  stuckReason(): string {
    const slot = this.#waiting.head()
    if (slot === NO_SLOT) return 'nothing waits'
    const known = this.#known(slot)
    return `request ${this.#table.id[slot]} waits for ${this.kv.pagesFor(known)} KV blocks, ${this.kv.roomPages} of ${this.kv.totalPages} can be had`
  }

  #queueFor(scheduler: Scheduler): WaitingQueue {
    return queueFor(scheduler, this.#table)
  }

  #rank(slot: number): number {
    return this.#scheduler.rank!(queuedRequest(this.#table, slot))
  }

  #known(slot: number): number {
    return this.#table.inputTokens[slot]! + this.#table.emitted[slot]!
  }

  /** Output limit of a request as admission knows it: what the client allows, as far as it could ever fit beside the prompt. */
  #limit(slot: number): number {
    const page = this.#options.blockSize
    const most = this.kv.totalPages * page - this.#table.inputTokens[slot]! - page - 1
    return Math.min(this.#context.prefillOnly ? 1 : this.#table.maxTokens[slot]!, most)
  }

  // ---- composition -------------------------------------------------------------------------------------------------

  /** Composes the next step at `now`, to start at `start`; begins it when nothing runs. */
  #compose(now: Time, start: Time): void {
    if (this.#lastComposed !== undefined) this.#settle(this.#lastComposed.steps)
    this.#receive()
    this.#lastComposed = undefined
    if (this.#departures.length > 0) this.#dropDepartures(now)
    if (this.#chunked !== NO_SLOT)
      this.kv.commit(this.#chunked, this.#table.computed[this.#chunked]!, this.#current !== undefined)
    this.#join()
    const run = this.#spare.pop()!
    run.clear()
    let retracted = false
    if (!this.#formPrefill(run, now)) {
      retracted = this.#retractForRoom(now)
      run.sequences = this.#group.sequences
    } else if (this.#options.mixedChunk) run.sequences = this.#group.sequences
    if (run.sequences === 0 && run.chunkCount === 0) {
      this.#spare.push(run)
      this.#endedDecodes = 0
      if (this.#current !== undefined) return
      this.ratio.reset()
      if (retracted || this.#unreceived.length > 0) this.#compose(now, start)
      return
    }
    copyTime(run.start, start)
    this.#plan(run)
    if (this.#unreceived.length > 0) this.#cutToReceive(run, 1)
    this.#lastComposed = run
    this.#joinFrom = run
    this.#settled = 0
    this.#settle(1)
    this.#tellChunks(run)
    if (this.#current === undefined) this.#begin(run)
    else this.#next = run
  }

  /** Fills a prefill batch; false when there is none. */
  #formPrefill(run: SglangRun, now: Time): boolean {
    const chunked = this.#chunked
    if (chunked === NO_SLOT && (this.#full || this.#waiting.length === 0)) return false
    const options = this.#options
    const mostRequests = options.maxSequences - this.#running + (chunked === NO_SLOT ? 0 : 1)
    if (mostRequests <= 0 && chunked === NO_SLOT) {
      this.#full = true
      return false
    }
    const mixed = options.mixedChunk ? this.#group.sequences : 0
    const mixedPages = mixed > 0 ? this.#group.blocksNeededNow() : 0
    if (mixedPages > this.kv.roomPages) return false
    const forecast = this.#members.remaining(this.#flying, this.#produced) * this.ratio.value
    const promised = Math.max(mixed, mixedPages * options.blockSize) + forecast
    this.#budget.begin(promised, options.maxPrefillTokens, options.chunkedPrefillTokens, mixed)
    let pages = 0
    if (chunked !== NO_SLOT) {
      const more = this.#continueChunked(chunked, run, mixedPages)
      if (more === undefined) return false
      pages += more
    }
    pages += this.#admit(run, mostRequests, now)
    if (run.chunkCount === 0) return false
    this.kv.take(pages)
    return true
  }

  /** The next chunk of the prompt that was cut; its new pages, or undefined when nothing of it fits. */
  #continueChunked(slot: number, run: SglangRun, mixedPages: number): number | undefined {
    const { kv } = this
    const page = kv.pageTokens
    const computed = this.#table.computed[slot]!
    const rest = this.#known(slot) - computed
    const held = kv.pagesFor(computed)
    const fit = (kv.roomPages - mixedPages + held) * page - computed
    const tokens = Math.min(this.#budget.nextChunk(rest, kv.roomPages * page), fit)
    if (tokens <= 0) return undefined
    const cut = tokens < rest
    this.#schedule(slot, run, tokens, computed, !cut)
    this.#budget.charge(tokens, cut ? 0 : Math.min(this.#limit(slot), FORECAST_CLIP_TOKENS))
    if (!cut) this.#chunked = NO_SLOT
    const pages = kv.pagesFor(computed + tokens) - held
    this.#table.privateBlocks[slot]! += pages
    return pages
  }

  /** Takes waiting requests into the batch in order until one does not fit; returns the pages they need. */
  #admit(run: SglangRun, mostRequests: number, now: Time): number {
    const { kv } = this
    const waiting = this.#waiting
    const sorted = this.#sorted()
    let pages = 0
    for (let i = 0; waiting.length > 0 && !this.#full; i++) {
      if (run.chunkCount >= mostRequests) {
        this.#full = true
        break
      }
      const slot = sorted === undefined ? waiting.head() : sorted[i]!
      const hit = kv.match(slot, this.#known(slot))
      const tokens = this.#shareOf(slot, hit, run)
      if (tokens === undefined) break
      waiting.remove(slot)
      pages += this.#take(slot, hit, tokens, run, now)
      const verdict = this.#budget.verdict(kv.roomPages * kv.pageTokens)
      if (verdict === 'full') this.#full = true
      if (verdict !== 'more') break
    }
    return pages
  }

  /** Waiting requests in the order of this round; undefined when it is that of the queue. */
  #sorted(): readonly number[] | undefined {
    const { policy, prefixCache } = this.#options
    const waiting = this.#waiting
    if (policy !== 'lpm' || !prefixCache || this.#scheduler.rank !== undefined) return undefined
    if (waiting.length > LONGEST_PREFIX_QUEUE) return undefined
    return longestPrefixFirst(waiting.head(), this.#table, this.#context.tree, this.kv, this.#order)
  }

  /** Prompt tokens that the candidate gets now; undefined when the batch ends before it. */
  #shareOf(slot: number, hit: number, run: SglangRun): number | undefined {
    const { kv } = this
    const page = kv.pageTokens
    const extend = this.#known(slot) - hit * page
    const newTokens = Math.max(0, Math.min(this.#limit(slot) - this.#table.emitted[slot]!, FORECAST_CLIP_TOKENS))
    const room = (kv.roomPages - kv.evictableAmong(slot, hit)) * page
    if (extend + newTokens + page >= this.#budget.left(room)) {
      this.#full = true
      return undefined
    }
    const tokens = this.#budget.share(extend, run.chunkCount === 0)
    return tokens !== undefined && tokens < extend && this.#chunked !== NO_SLOT ? undefined : tokens
  }

  #take(slot: number, hit: number, tokens: number, run: SglangRun, now: Time): number {
    const table = this.#table
    const { kv } = this
    const context = hit * kv.pageTokens
    const known = this.#known(slot)
    const cut = context + tokens < known
    table.phase[slot] = PHASE.prefill
    this.#running += 1
    kv.takeMatched(slot, hit)
    const pages = kv.pagesFor(context + tokens) - hit
    table.privateBlocks[slot]! += pages
    this.#context.facts.observer.admitted(
      table.id[slot]!,
      toSeconds(now),
      this.#context.replica,
      context,
      known,
      table.preemptions[slot]!,
    )
    this.#schedule(slot, run, tokens, context, !cut)
    this.#budget.charge(tokens, cut ? 0 : Math.min(this.#limit(slot), FORECAST_CLIP_TOKENS))
    if (cut) this.#chunked = slot
    return pages
  }

  #schedule(slot: number, run: SglangRun, tokens: number, context: number, completes: boolean): void {
    run.addChunk(slot, tokens, context, completes)
    this.#table.computed[slot] = context + tokens
  }

  /** Retracts running requests when the next decode step lacks pages. Returns whether somebody was. */
  #retractForRoom(now: Time): boolean {
    const group = this.#group
    const { kv } = this
    if (group.sequences === 0 || group.blocksNeededNow() <= kv.roomPages) return false
    const roomFor = (): number => kv.pagesFor(group.sequences * this.#options.retractDecodeSteps)
    let first = true
    while (group.sequences > 1 && (first || Math.max(roomFor(), group.blocksNeededNow()) > kv.roomPages)) {
      first = false
      this.#retract(this.#members.victim(this.#produced), now)
      kv.makeRoom(roomFor())
    }
    if (group.sequences === 1 && group.blocksNeededNow() > kv.roomPages) this.#retract(this.#members.list.first, now)
    this.#raiseRatio()
    return true
  }

  #raiseRatio(): void {
    const { sequences } = this.#group
    let produced = 0
    for (let slot = this.#members.list.first; slot !== NO_SLOT; slot = this.#table.runNext[slot]!)
      produced += this.#producedBy(slot)
    if (sequences === 0) this.ratio.reset()
    else this.ratio.retracted(produced, this.#options.retractDecodeSteps * sequences, this.#members.limits)
  }

  /** Decides how many steps of this composition run, and how long they take. */
  #plan(run: SglangRun): void {
    const group = this.#group
    const cost = this.#context.cost
    run.firstStep = group.step
    if (run.sequences > 0) this.#planGaps(run)
    else this.#late.push(...this.#fresh)
    if (run.chunkCount > 0) {
      run.firstTicks = Math.max(1, Math.round(cost.seconds(this.#describe(run)) * TICKS_PER_SECOND))
      return
    }
    const piece = cost.decodePiece(run.sequences, run.contextTokens, this.#piece)
    const valid = Math.floor((piece.validUntilContextTokens - run.contextTokens) / run.sequences) + 1
    const even = group.window === undefined ? valid : Math.min(valid, group.window.evenSteps(group.step))
    this.#setDecodeTicks(run, piece)
    if (run.ghosts > 0 || run.irregular.length > 0 || this.#chunked !== NO_SLOT) return
    if (this.#waiting.length > 0 && !this.#full) return
    const finish = group.calendar.next(group.step)!
    const steps = Math.max(1, Math.min(finish - group.step + 1, even))
    run.steps = steps === 1 ? 1 : Math.max(1, group.stepsThatFit(this.kv.roomPages, steps))
    run.limitLength()
  }

  /** Ticks of a pure decode step, and how they grow while every sequence gains a token a step. */
  #setDecodeTicks(run: SglangRun, piece: DecodePiece): void {
    const { window, windowTokens } = this.#group
    const base = Math.round(piece.baseSeconds * TICKS_PER_SECOND)
    const slope = Math.round(piece.slopeSeconds * TICKS_PER_SECOND)
    const windowSlope = Math.round(piece.windowSlopeSeconds * TICKS_PER_SECOND)
    run.firstTicks = Math.max(1, base + slope * run.contextTokens + windowSlope * windowTokens)
    run.growthTicks = slope * run.sequences + windowSlope * (window === undefined ? run.sequences : window.growing)
  }

  /** Which gaps the first step of a run with decodes closes: its own length, longer by prefill batches before it, or told by name. */
  #planGaps(run: SglangRun): void {
    const current = this.#current
    run.contextTokens = this.#group.contextTokens
    run.ghosts = this.#lag === 1 ? this.#countGhosts() : 0
    run.irregular.push(...this.#late)
    this.#late.length = 0
    run.stretched = run.sequences - run.irregular.length - this.#fresh.length
    if (run.stretched === 0 || (current !== undefined && current.sequences > 0)) return
    copyTime(run.stretchStart, this.#decodeEnd)
    run.stretchTicks = ticksBetween(run.start, this.#decodeEnd)
  }

  /** The batch of a step with prompts, for the cost model. */
  #describe(run: SglangRun): StepBatch {
    const batch = this.#batch
    batch.chunkCount = run.chunkCount
    batch.chunkSamples = 0
    for (let i = 0; i < run.chunkCount; i++) {
      const chunk = run.chunks[i]!
      batch.chunkTokens[i] = chunk.tokens
      batch.chunkContext[i] = chunk.context
      if (chunk.completes) batch.chunkSamples += 1
    }
    batch.decodeSequences = run.sequences
    batch.decodeContextTokens = run.contextTokens
    batch.decodeWindowTokens = run.sequences === 0 ? 0 : this.#group.windowTokens
    return batch
  }

  // ---- joining and leaving the running requests ----------------------------------------------------------------------

  /** Prompts completed by the last composed step, and transferred requests, decode from the next decode step on. */
  #join(): void {
    const table = this.#table
    const from = this.#joinFrom
    this.#joinFrom = undefined
    this.#fresh.length = 0
    const flying = from !== undefined && from === this.#current ? 1 : 0
    for (let i = 0; from !== undefined && i < from.chunkCount && !this.#context.prefillOnly; i++) {
      const { slot, completes } = from.chunks[i]!
      if (!completes || slot === NO_SLOT) continue
      const emitted = table.emitted[slot]! + flying
      table.phase[slot] = PHASE.decode
      this.#group.join(slot, table.computed[slot]!, emitted, table.outputTokens[slot]! - emitted)
      this.#members.add(slot)
      this.#fresh.push(slot)
    }
    this.#insertedNow = this.#inserted.length
    for (const slot of this.#inserted) {
      this.#reserved -= 1
      this.#group.join(slot, table.inputTokens[slot]!, 1, table.outputTokens[slot]! - 1)
      this.#members.add(slot)
      this.#late.push(slot)
    }
    this.#inserted.length = 0
    const decoding = this.#current !== undefined && this.#current.sequences > 0
    this.#flying = decoding
      ? this.#group.sequences - this.#insertedNow - (flying === 1 ? 0 : this.#fresh.length)
      : this.#fresh.length * flying
  }

  /** Tokens of a running request that are out, those in flight not counted. */
  #producedBy(slot: number): number {
    const { step } = this.#group
    if (this.#table.joinStep[slot] === step) return this.#table.emitted[slot]!
    const decoding = this.#current !== undefined && this.#current.sequences > 0
    return this.#group.emittedAt(slot, decoding ? step - 1 : step)
  }

  /** Running requests whose last token is in flight without the scheduler knowing. */
  #countGhosts(): number {
    const table = this.#table
    const group = this.#group
    const current = this.#current
    let ghosts = 0
    if (current !== undefined && current.sequences > 0) {
      for (let slot = group.calendar.at(group.step - 1); slot !== NO_SLOT; slot = table.finishNext[slot]!) ghosts += 1
    }
    if (current === undefined) return ghosts
    for (const slot of this.#fresh) if (table.emitted[slot]! + 1 === table.outputTokens[slot]) ghosts += 1
    return ghosts
  }

  /** Takes a running request's pages and puts it at the end of the queue; fails it when it can never fit. */
  #retract(slot: number, now: Time): void {
    const table = this.#table
    const held = this.#leave(slot, now, this.#options.keepRetractedText)
    this.#full = false
    table.computed[slot] = 0
    const outgrown = this.#outgrown(this.#known(slot) + 1)
    if (outgrown !== undefined) {
      this.kv.forget(slot)
      this.#context.failed(slot, now, outgrown)
      return
    }
    table.phase[slot] = PHASE.waiting
    table.preemptions[slot]! += 1
    this.#waiting.push(slot)
    this.#context.facts.observer.preempted(table.id[slot]!, toSeconds(now), this.#context.replica, held)
  }

  /**
   * Takes a request out of everything but the table, discarding a token in flight; its computed text enters the tree when
   * `keep`. Returns its computed tokens.
   */
  #leave(slot: number, now: Time, keep: boolean): number {
    const table = this.#table
    this.#running -= 1
    const decoding = table.phase[slot] === PHASE.decode
    const basis = decoding ? table.joinComputed[slot]! : table.computed[slot]!
    let held = basis
    if (decoding) held = this.#leaveDecode(slot, now)
    if (this.#chunked === slot) this.#chunked = NO_SLOT
    this.#discardChunk(slot)
    table.privateBlocks[slot]! += this.kv.pagesFor(held) - this.kv.pagesFor(basis)
    if (keep) this.kv.commit(slot, Math.min(held, this.#known(slot)), this.#current !== undefined)
    this.kv.release(slot)
    return held
  }

  #leaveDecode(slot: number, now: Time): number {
    const table = this.#table
    const group = this.#group
    const current = this.#current
    const held = group.computedAt(slot, group.step)
    const produced = this.#producedBy(slot)
    if (produced > table.joinEmitted[slot]!) {
      table.irregular[slot] = 1
      const last = current !== undefined && current.sequences > 0 && current.steps > 1 ? now : this.#decodeEnd
      table.lastTokenSeconds[slot] = last.seconds
      table.lastTokenTicks[slot] = last.ticks
    } else if (produced > 0) table.irregular[slot] = 1
    if (table.joinStep[slot] !== group.step && current !== undefined && current.sequences > 0)
      this.#discardToken(slot, current)
    table.emitted[slot] = produced
    this.#leaveGroup(slot)
    return held
  }

  #leaveGroup(slot: number): void {
    const table = this.#table
    if (table.joinEmitted[slot]! < table.outputTokens[slot]!) this.#group.calendar.remove(slot)
    this.#group.leaveSums(slot)
    this.#members.remove(slot)
    remove(this.#late, slot)
    remove(this.#fresh, slot)
  }

  /** The request's token of the step in flight will not be delivered. */
  #discardToken(slot: number, flying: SglangRun): void {
    flying.droppedInLast += 1
    if (remove(flying.irregular, slot)) return
    if (this.#table.joinStep[slot]! < flying.firstStep && flying.steps === 1) flying.droppedStretched += 1
  }

  /** Forgets the request's chunk, in flight or ended. */
  #discardChunk(slot: number): void {
    for (const run of [this.#joinFrom, this.#current]) {
      for (let i = 0; run !== undefined && i < run.chunkCount; i++)
        if (run.chunks[i]!.slot === slot) run.chunks[i]!.slot = NO_SLOT
    }
  }

  #dropDepartures(now: Time): void {
    for (const slot of this.#departures) {
      if (remove(this.#inserted, slot)) {
        this.#running -= 1
        this.#reserved -= 1
        this.kv.release(slot)
      } else this.#leave(slot, now, true)
      this.kv.forget(slot)
      this.#full = false
      this.#context.finished(slot, now)
    }
    this.#departures.length = 0
  }

  // ---- step ends -----------------------------------------------------------------------------------------------------

  #begin(run: SglangRun): void {
    this.#current = run
    this.#attempted = false
  }

  /** All steps of `run` have ended at `now`: tokens go out, endings free their pages, the next run begins. */
  #end(run: SglangRun, now: Time): void {
    if (this.#lastComposed === run) {
      this.#settle(run.steps)
      this.#lastComposed = undefined
      this.#endedDecodes = run.chunkCount === 0 ? run.steps : 0
    }
    this.#report(run, run.steps)
    this.kv.visibility.land()
    this.#stepsDone += run.steps
    for (const slot of run.irregular) this.#closeGap(slot, now)
    if (run.sequences > 0) this.#endDecodes(run, now)
    for (let i = 0; i < run.chunkCount; i++) {
      const chunk = run.chunks[i]!
      if (chunk.completes && chunk.slot !== NO_SLOT && this.#completePrompt(chunk.slot, now)) chunk.slot = NO_SLOT
    }
    this.#spare.push(run)
    this.#current = this.#next
    this.#next = undefined
    this.#attempted = false
    if (this.#current !== undefined) {
      if (this.#wantsStep()) this.#current.steps = 1
      else if (this.#unreceived.length > 0) this.#cutToReceive(this.#current, 1)
    } else if (this.#hasWork()) {
      this.#due = true
      copyTime(this.#dueAt, now)
    } else {
      this.ratio.reset()
      this.#endedDecodes = 0
    }
  }

  #endDecodes(run: SglangRun, now: Time): void {
    copyTime(this.#decodeEnd, now)
    const last = run.firstStep + run.steps - 1
    for (let slot = this.#group.calendar.at(last); slot !== NO_SLOT; ) {
      const next = this.#table.finishNext[slot]!
      this.#finishDecode(slot, last, now)
      slot = next
    }
  }

  /** Something could change the composition at the next opportunity. */
  #wantsStep(): boolean {
    return (this.#waiting.length > 0 && !this.#full) || this.#departures.length > 0 || this.#inserted.length > 0
  }

  #hasWork(): boolean {
    return this.waiting > 0 || this.#running > 0 || this.#departures.length > 0
  }

  #closeGap(slot: number, now: Time): void {
    const table = this.#table
    const at = this.#at
    at.seconds = table.lastTokenSeconds[slot]!
    at.ticks = table.lastTokenTicks[slot]!
    table.irregular[slot] = 0
    if (table.clientLeft[slot] === 1) return
    this.#context.facts.observer.tokenGap(table.id[slot]!, toSeconds(now), ticksBetween(now, at))
  }

  #finishDecode(slot: number, step: number, now: Time): void {
    const table = this.#table
    const group = this.#group
    const held = group.computedAt(slot, group.step)
    const text = group.computedAt(slot, step + 1)
    this.#leaveGroup(slot)
    table.emitted[slot] = table.outputTokens[slot]!
    this.#finish(slot, table.joinComputed[slot]!, held, text, now)
  }

  /** A prompt is computed, its first or next token sampled, and its text enters the tree. True when the request has left this engine. */
  #completePrompt(slot: number, now: Time): boolean {
    const table = this.#table
    table.emitted[slot]! += 1
    if (table.irregular[slot] === 1) this.#closeGap(slot, now)
    else if (table.clientLeft[slot] === 0) this.#context.facts.observer.firstToken(table.id[slot]!, toSeconds(now))
    table.lastTokenSeconds[slot] = now.seconds
    table.lastTokenTicks[slot] = now.ticks
    const computed = table.computed[slot]!
    if (table.emitted[slot] === table.outputTokens[slot]) {
      let held = computed
      if (table.phase[slot] === PHASE.decode) {
        held = this.#group.computedAt(slot, this.#group.step)
        this.#leaveGroup(slot)
      }
      this.#finish(slot, computed, held, computed, now)
      return true
    }
    this.kv.commit(slot, computed)
    if (!this.#context.prefillOnly) return false
    this.#forgetDeparture(slot)
    this.#running -= 1
    this.#full = false
    table.phase[slot] = PHASE.transferring
    table.irregular[slot] = 1
    this.#context.prefilled(slot, now)
    return true
  }

  /** The request has its last token: the group took pages for it from `basis` to `held` computed tokens, and `text` tokens enter the tree. */
  #finish(slot: number, basis: number, held: number, text: number, now: Time): void {
    this.#forgetDeparture(slot)
    this.#table.privateBlocks[slot]! += this.kv.pagesFor(held) - this.kv.pagesFor(basis)
    this.kv.commit(slot, text)
    this.kv.release(slot)
    this.kv.forget(slot)
    this.#running -= 1
    this.#full = false
    this.#context.finished(slot, now)
  }

  /** The request leaves by itself before its departure was taken up. */
  #forgetDeparture(slot: number): void {
    if (this.#table.clientLeft[slot] === 1) remove(this.#departures, slot)
  }

  // ---- time ----------------------------------------------------------------------------------------------------------

  /** Something new is here at `now`: the run in progress ends at the next boundary at which it can be taken up. */
  #wake(now: Time): void {
    const current = this.#current
    if (current === undefined) {
      if (this.#due) return
      this.#due = true
      copyTime(this.#dueAt, now)
      return
    }
    if (this.#next !== undefined || this.#attempted) return
    const boundary = current.firstBoundaryFrom(now) + this.#lag
    current.steps = Math.min(current.steps, Math.max(1, boundary))
  }

  /**
   * Takes up what came in when it is time to: after anything but decode steps, and after every `receiveInterval` of those.
   * Called at a composition, when the run composed last is settled.
   */
  #receive(): void {
    const interval = this.#receiveInterval
    if (interval <= 1) return
    const last = this.#lastComposed
    const decodes = last === undefined ? this.#endedDecodes : last.chunkCount === 0 ? last.steps : 0
    this.#sinceReceived = decodes === 0 ? 0 : (this.#sinceReceived + decodes) % interval
    if (this.#sinceReceived > 0) return
    for (const slot of this.#unreceived) this.#waiting.push(slot)
    this.#unreceived.length = 0
  }

  /** A request has come at `now` and is not received yet: the run in progress ends where the engine looks for it. */
  #wakeToReceive(now: Time): void {
    const current = this.#current
    if (current === undefined) this.#wake(now)
    else if (this.#next === undefined && !this.#attempted)
      this.#cutToReceive(current, Math.max(1, current.firstBoundaryFrom(now) + this.#lag))
  }

  /** Cuts a run, the one composed last, at the first composition from its step `from` on at which requests are received. */
  #cutToReceive(run: SglangRun, from: number): void {
    if (run.chunkCount > 0) {
      run.steps = Math.min(run.steps, from)
      return
    }
    const interval = this.#receiveInterval
    const first = interval - this.#sinceReceived
    const at = from <= first ? first : first + interval * Math.ceil((from - first) / interval)
    run.steps = Math.min(run.steps, at)
  }

  /** Accounts pages and context for the first `steps` steps of the run composed last, evicting step by step where pages are short. */
  #settle(steps: number): void {
    const run = this.#lastComposed!
    const group = this.#group
    const { kv } = this
    let more = steps - this.#settled
    if (more <= 0) return
    this.#settled = steps
    if (run.sequences === 0) return
    if (run.chunkCount === 0) this.ratio.decoded(more)
    while (more > 0) {
      const fit = Math.max(1, group.stepsThatFit(kv.freePages, more))
      kv.take(group.blocksNeeded(fit))
      group.advance(fit)
      more -= fit
    }
  }

  /** Accounts the steps composed before `now`. */
  #settleBy(now: Time): void {
    const run = this.#lastComposed
    if (run === undefined) return
    this.#settle(Math.min(run.steps, Math.max(1, run.firstBoundaryFrom(now) + this.#lag)))
  }

  #decodeStepsEndedBy(now: Time): number {
    const current = this.#current
    if (current !== undefined && current.sequences > 0) return current.firstStep + current.endedBy(now)
    const next = this.#next
    return next !== undefined && next.sequences > 0 ? next.firstStep : this.#group.step
  }

  #tellChunks(run: SglangRun): void {
    const time = toSeconds(run.start)
    for (let i = 0; i < run.chunkCount; i++) {
      const chunk = run.chunks[i]!
      const request = this.#table.id[chunk.slot]!
      this.#context.facts.observer.prefillChunk(request, time, this.#context.replica, chunk.tokens, chunk.context)
    }
  }

  /** Tells observers about the steps of `run` before step `upTo` that they have not heard of. */
  #report(run: SglangRun, upTo: number): void {
    const from = run.reported
    if (upTo <= from) return
    const { observer } = this.#context.facts
    const replica = this.#context.replica
    const begin = toSeconds(run.boundary(from, this.#at))
    this.#reportGaps(run, from, upTo)
    const end = toSeconds(run.boundary(upTo, this.#at))
    const context = run.contextTokens + run.sequences * from
    observer.stepped(replica, begin, end, upTo - from, run.sequences, run.prefillTokens, context)
    run.reported = upTo
  }

  #reportGaps(run: SglangRun, from: number, upTo: number): void {
    let step = from
    const dropped = upTo === run.steps ? run.droppedInLast : 0
    const regular = run.sequences - run.ghosts - run.irregular.length
    if (from === 0 && run.stretchTicks > 0) {
      const lost = run.steps === 1 ? dropped : 0
      const stretched = run.stretched - (run.steps === 1 ? run.droppedStretched : 0)
      this.#tellGaps(run.stretchStart, 1, stretched, run.stretchTicks + run.firstTicks, 0)
      this.#tellGaps(run.start, 1, regular - lost - stretched, run.firstTicks, 0)
      step = 1
    }
    const whole = dropped > 0 ? upTo - step - 1 : upTo - step
    const first = run.firstTicks + run.growthTicks * step
    this.#tellGaps(run.boundary(step, this.#at), whole, regular, first, run.growthTicks)
    if (dropped === 0 || step === upTo) return
    const last = run.firstTicks + run.growthTicks * (upTo - 1)
    this.#tellGaps(run.boundary(upTo - 1, this.#at), 1, regular - dropped, last, 0)
  }

  #tellGaps(start: Time, steps: number, sequences: number, gapTicks: number, growthTicks: number): void {
    if (steps <= 0 || sequences <= 0) return
    const { observer } = this.#context.facts
    observer.decodeRun(this.#context.replica, toSeconds(start), steps, sequences, gapTicks, growthTicks)
  }
}

/** Takes `item` out of `list`; whether it was in. */
function remove(list: number[], item: number): boolean {
  const at = list.indexOf(item)
  if (at >= 0) list.splice(at, 1)
  return at >= 0
}
