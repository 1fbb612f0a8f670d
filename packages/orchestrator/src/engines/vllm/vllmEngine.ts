import { type DecodePiece, emptyBatch, type StepBatch } from '@windtunnel/cost/step/stepCost'
import { copyTime, TICKS_PER_SECOND, type Time, ticksBetween, toSeconds } from '@windtunnel/des'
import { emptied } from '../../emptied.ts'
import type { CacheHolders } from '../../kv/cacheHolders.ts'
import { KvMemory } from '../../kv/kvMemory.ts'
import type { Origin } from '../../kv/visibility.ts'
import { NO_SLOT, PHASE, type RequestTable } from '../../requests.ts'
import type { Scheduler } from '../../schedulers/index.ts'
import { DecodeGroup } from '../decodeGroup.ts'
import { type Engine, type EngineContext, ORDER } from '../engine.ts'
import { PickedQueue } from '../pickedQueue.ts'
import { queuedRequest } from '../queuedRequest.ts'
import { queueFor } from '../queueFor.ts'
import { RunningList } from '../runningList.ts'
import { StepRun } from '../stepRun.ts'
import type { WaitingQueue } from '../waitingQueue.ts'
import type { BatchWait, Reserve, VllmOptions } from './vllmOptions.ts'

/**
 * vLLM V1: one token budget a step, running requests first, chunked prefill, paged KV with recompute preemption, a prefix
 * cache, and optionally async scheduling. The rules are in SEMANTICS.md; this is their fast form: decoding requests are
 * running sums, and steps of one composition advance together as one StepRun.
 */
export class VllmEngine implements Engine {
  readonly streamsPrefill = true
  readonly kv: KvMemory
  /** Emits the first token of a prompt that was prefilled elsewhere, having computed its last token again. */
  readonly #emitsFirst: boolean
  /** Steps composed and not yet ended: `current` runs, `next` (async scheduling only) begins when it ends. */
  #current: StepRun | undefined
  #next: StepRun | undefined
  #spare: StepRun[] = [new StepRun(), new StepRun(), new StepRun()]
  /** The run whose completed prompts have not yet joined the decode group. */
  #joinFrom: StepRun | undefined
  #settled = 0
  #lastComposed: StepRun | undefined
  /** A composition is due at `#dueAt` although nothing runs. */
  #due = false
  readonly #dueAt: Time = { seconds: 0, ticks: 0 }
  /** In the last step of `current`, composing `next` has been tried. */
  #attempted = false
  #group: DecodeGroup
  #waiting: WaitingQueue
  #list: RunningList
  /** Prompts in progress, in running order. */
  #prefilling: number[] = []
  #departures: number[] = []
  /** Transferred requests that join the decode group at the next composition. */
  #inserted: number[] = []
  /** The head of the queue waits for blocks or a slot: only an ending can help it. */
  #blocked = false
  /** Steps for which waiting prompts have been held back. */
  #heldSteps = 0
  #running = 0
  /** Host blocks in use, and blocks copied out or in for the step being composed. */
  #hostUsed = 0
  #copied = 0
  /** Blocks brought back from the host's tier of the prefix cache for it. */
  #loaded = 0
  /** Blocks that the requests here can need at most, where admission counts them. */
  #promised = 0
  #peakPromised = 0
  readonly #promises: boolean
  readonly #reserve: Reserve
  #stepsDone = 0
  #lag: 0 | 1
  #scheduler: Scheduler
  #chunkLimit: number
  #context: EngineContext
  #options: VllmOptions
  #table: RequestTable
  #batch: StepBatch = emptyBatch()
  #piece: DecodePiece = { baseSeconds: 0, slopeSeconds: 0, windowSlopeSeconds: 0, validUntilContextTokens: 0 }
  readonly #at: Time = { seconds: 0, ticks: 0 }
  readonly #start: Time = { seconds: 0, ticks: 0 }
  /** Time of the look at the queue, for orders that follow what was delivered. */
  readonly #clock: Time = { seconds: 0, ticks: 0 }

  constructor(context: EngineContext, options: VllmOptions) {
    this.#context = context
    this.#options = options
    this.#table = context.table
    this.#chunkLimit = options.longPrefillThreshold > 0 ? options.longPrefillThreshold : Number.POSITIVE_INFINITY
    this.#reserve = options.reserve ?? 'asNeeded'
    this.#promises = this.#reserve === 'guarantee' || this.#reserve === 'maximum'
    this.#emitsFirst = context.firstToken === 'generate'
    this.#lag = options.asyncScheduling ? 1 : 0
    this.kv = new KvMemory(options, context.table, context.tree)
    this.#group = new DecodeGroup(context.table, options.blockSize, context.attentionWindowTokens)
    this.#list = new RunningList(context.table)
    this.#scheduler = context.scheduler
    this.#waiting = this.#queueFor(context.scheduler)
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get usedBlocks(): number {
    return this.#reserve === 'maximum' ? this.#promised : this.kv.usedBlocks
  }

  get peakUsedBlocks(): number {
    return this.#reserve === 'maximum' ? this.#peakPromised : this.kv.peakUsedBlocks
  }

  get totalBlocks(): number {
    return this.kv.totalBlocks
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
    const blocks = this.kv.blocksFor(input)
    if (blocks > this.kv.totalBlocks) {
      return `prompt of ${input} tokens needs ${blocks} KV blocks of ${options.blockSize} tokens, the replica has ${this.kv.totalBlocks}`
    }
    const most = this.#most(slot)
    if (this.#promises && most > this.kv.totalBlocks) {
      return `prompt of ${input} tokens and max_tokens ${limit} need ${most} KV blocks of ${options.blockSize} tokens, the replica has ${this.kv.totalBlocks}`
    }
    if (!options.chunkedPrefill && input > options.maxBatchedTokens) {
      return `prompt of ${input} tokens exceeds the budget of ${options.maxBatchedTokens} batched tokens, and chunked prefill is off`
    }
    return undefined
  }

  nextEvent(into: Time): number | undefined {
    const current = this.#current
    if (current === undefined) {
      if (!this.#due) return undefined
      copyTime(into, this.#dueAt)
      return ORDER.compose
    }
    if (this.#lag === 1 && this.#next === undefined && !this.#attempted) {
      current.boundary(current.steps - 1, into)
      return ORDER.compose
    }
    current.boundary(current.steps, into)
    return ORDER.stepEnd
  }

  handle(now: Time): void {
    const current = this.#current
    if (current === undefined) {
      this.#due = false
      this.#compose(now, now)
      return
    }
    if (this.#lag === 1 && this.#next === undefined && !this.#attempted) {
      this.#attempted = true
      this.#compose(now, current.boundary(current.steps, this.#start))
      return
    }
    this.#end(current, now)
  }

  enqueue(slot: number, now: Time): void {
    const table = this.#table
    table.phase[slot] = PHASE.waiting
    table.replica[slot] = this.#context.replica
    copyTime(this.#clock, now)
    this.#waiting.push(slot)
    if (!this.#blocked || (this.#scheduler.rank !== undefined && this.#waiting.head() === slot)) {
      this.#blocked = false
      this.#wake(now)
    }
  }

  setScheduler(scheduler: Scheduler, now: Time): void {
    const old = this.#waiting
    copyTime(this.#clock, now)
    this.#scheduler = scheduler
    this.#waiting = this.#queueFor(scheduler)
    while (old.length > 0) {
      const slot = old.head()
      old.remove(slot)
      this.#waiting.push(slot)
    }
    this.#blocked = false
    if (this.#waiting.length > 0) this.#wake(now)
  }

  reserveIncoming(slot: number, now: Time): boolean {
    const blocks = this.kv.blocksFor(this.#table.inputTokens[slot]! - (this.#emitsFirst ? 1 : 0))
    this.#settleBy(now)
    if (blocks > this.kv.freeBlocks || this.#running >= this.#options.maxSequences) return false
    if (this.#promises && !this.#canPromise(slot, 0)) return false
    this.#running += 1
    this.#promise(slot)
    this.kv.take(blocks)
    this.#table.incomingBlocks[slot] = blocks
    const run = this.#lastComposed
    if (run !== undefined)
      run.steps = this.#settled + this.#group.stepsThatFit(this.kv.freeBlocks, run.steps - this.#settled)
    return true
  }

  insert(slot: number, now: Time): void {
    this.#table.phase[slot] = PHASE.decode
    this.#table.replica[slot] = this.#context.replica
    this.#table.computed[slot] = this.#table.inputTokens[slot]! + this.#table.emitted[slot]! - 1
    this.#table.joinStep[slot] = Number.POSITIVE_INFINITY
    this.#inserted.push(slot)
    this.#table.privateBlocks[slot] = this.#table.incomingBlocks[slot]!
    this.#settleBy(now)
    this.kv.receive(slot, this.#table.computed[slot]!, now)
    this.#wake(now)
  }

  cancelIncoming(slot: number, now: Time): void {
    this.kv.giveBack(this.#table.incomingBlocks[slot]!)
    this.#running -= 1
    this.#withdraw(slot)
    this.#blocked = false
    this.#wake(now)
  }

  releaseTransferred(slot: number, now: Time): void {
    this.kv.release(slot)
    this.#withdraw(slot)
    this.#blocked = false
    if (this.#waiting.length > 0) this.#wake(now)
  }

  abandon(slot: number, now: Time): void {
    const table = this.#table
    const phase = table.phase[slot]!
    table.clientLeft[slot] = 1
    if (phase === PHASE.waiting) {
      this.#waiting.remove(slot)
      this.#leaveHost(slot)
      this.#context.finished(slot, now)
      this.#blocked = false
      this.#wake(now)
      return
    }
    if (phase === PHASE.leaving) return
    this.#departures.push(slot)
    this.#wake(now)
  }

  emittedBy(slot: number, now: Time): number {
    const table = this.#table
    const phase = table.phase[slot]!
    if (phase !== PHASE.decode && phase !== PHASE.leaving) return table.emitted[slot]!
    const ended = this.#stepsEndedBy(now)
    const joined = table.joinStep[slot]!
    return ended <= joined
      ? table.emitted[slot]!
      : Math.min(table.outputTokens[slot]!, this.#group.emittedAt(slot, ended))
  }

  report(now: Time): void {
    const current = this.#current
    if (current !== undefined) this.#report(current, Math.min(current.endedBy(now), current.steps - 1))
  }

  cachedTokens(leaf: number, inputTokens: number, now: Time): number {
    this.#settleBy(now)
    return this.kv.seenBlocks(leaf, Math.floor((inputTokens - 1) / this.kv.blockSize), now) * this.kv.blockSize
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
    const known = this.#table.inputTokens[slot]! + this.#table.emitted[slot]!
    return `request ${this.#table.id[slot]} waits for ${this.kv.blocksFor(known)} KV blocks, ${this.kv.freeBlocks} of ${this.kv.totalBlocks} are free`
  }

  #queueFor(scheduler: Scheduler): WaitingQueue {
    const table = this.#table
    if (scheduler.start === undefined) return queueFor(scheduler, table)
    return new PickedQueue(table, scheduler.start(), {
      cachedTokens: (slot) => this.kv.match(slot, table.inputTokens[slot]! + table.emitted[slot]!) * this.kv.blockSize,
      emittedTokens: (slot) => this.emittedBy(slot, this.#clock),
    })
  }

  // ---- composition -------------------------------------------------------------------------------------------------

  /** Composes the next step at `now`, to start at `start`; begins it when nothing runs. */
  #compose(now: Time, start: Time): void {
    if (this.#lastComposed !== undefined) this.#settle(this.#lastComposed.steps)
    this.#lastComposed = undefined
    this.kv.visibility.begin(now)
    if (this.#departures.length > 0) this.#dropDepartures(now)
    if (this.#lag === 1) this.#foreseeEndings()
    const run = this.#spare.pop()!
    this.#joinDecode(run)
    run.chunkCount = 0
    run.prefillTokens = 0
    run.droppedInLast = 0
    run.reported = 0
    const preempted = this.#fill(run, now)
    if (this.#group.sequences === 0 && run.chunkCount === 0) {
      this.#spare.push(run)
      if (preempted && this.#current === undefined) this.#compose(now, start)
      return
    }
    run.start.seconds = start.seconds
    run.start.ticks = start.ticks
    this.#time(run, preempted)
    this.kv.visibility.takeOff()
    this.#lastComposed = run
    this.#joinFrom = run
    this.#settled = 0
    this.#settle(1)
    this.#tellChunks(run)
    if (this.#current === undefined) this.#begin(run, now)
    else this.#next = run
  }

  /** Puts every running request's share and new admissions into `run`. Returns whether somebody was preempted. */
  #fill(run: StepRun, now: Time): boolean {
    const group = this.#group
    let preempted = false
    while (group.blocksNeededNow() > this.kv.freeBlocks) {
      preempted = true
      this.#preempt(this.#victim(), run, now)
    }
    let budget = this.#options.maxBatchedTokens - group.sequences
    for (let i = 0; i < this.#prefilling.length; ) {
      const slot = this.#prefilling[i]!
      const taken = this.#continuePrefill(slot, run, budget)
      if (taken === undefined) {
        preempted = true
        const victim = this.#victim()
        const at = this.#prefilling.indexOf(victim)
        budget += this.#scheduled(victim, run)
        this.#preempt(victim, run, now)
        if (victim === slot) break
        if (at >= 0 && at < i) i -= 1
        continue
      }
      budget -= taken
      if (this.#prefilling[i] === slot) i += 1
    }
    this.#blocked = false
    copyTime(this.#clock, now)
    if (!preempted) this.#admit(run, budget, now)
    if (this.#waiting.dynamic === true) this.#blocked = false
    return preempted
  }

  /**
   * Whether prompts wait for company beside running requests: until the tokens of the step, each waiting prompt taken to be as
   * long as the first, reach their share of the budget, or for so many steps.
   */
  #holdsBack({ steps, tokenShare }: BatchWait): boolean {
    const slot = this.#waiting.head()
    if (slot !== NO_SLOT && this.#group.sequences > 0 && this.#heldSteps < steps) {
      const each = this.#table.inputTokens[slot]! + this.#table.emitted[slot]!
      const tokens = this.#group.sequences + this.#waiting.length * each
      if (tokens < tokenShare * this.#options.maxBatchedTokens) {
        this.#heldSteps += 1
        return true
      }
    }
    this.#heldSteps = 0
    return false
  }

  /** Schedules the next chunk of a prompt in progress; its tokens, or undefined when it lacks blocks. */
  #continuePrefill(slot: number, run: StepRun, budget: number): number | undefined {
    const table = this.#table
    const computed = table.computed[slot]!
    const known = table.inputTokens[slot]! + table.emitted[slot]!
    const tokens = Math.min(known - computed, this.#chunkLimit, budget)
    if (tokens <= 0) return 0
    const blocks = this.#reserve === 'prompt' ? 0 : this.kv.blocksFor(computed + tokens) - this.kv.blocksFor(computed)
    if (blocks > this.kv.freeBlocks - this.#group.blocksNeededNow()) return undefined
    if (blocks > 0) this.kv.allocate(slot, blocks)
    this.#schedulePrefill(slot, run, tokens, computed, known)
    return tokens
  }

  /** Admits waiting requests in order until one does not fit. */
  #admit(run: StepRun, budgetLeft: number, now: Time): void {
    const options = this.#options
    const table = this.#table
    let budget = budgetLeft
    if (options.batchWait !== undefined && this.#holdsBack(options.batchWait)) return
    while (this.#waiting.length > 0) {
      if (this.#running >= options.maxSequences || budget <= 0) {
        this.#blocked = run.chunkCount === 0 || this.#running >= options.maxSequences
        return
      }
      const slot = this.#waiting.head()
      const known = table.inputTokens[slot]! + table.emitted[slot]!
      if (this.#promises && !this.#canPromise(slot, this.#watermark)) {
        this.#blocked = true
        return
      }
      if (table.hostBlocks[slot]! > 0) {
        if (!this.#fits(slot, 0, known)) {
          this.#blocked = true
          return
        }
        this.#swapIn(slot, run, known, now)
        budget -= 1
        continue
      }
      const hit = this.kv.match(slot, known)
      const loaded = this.kv.hostMatch(slot, known, hit)
      const cached = (hit + loaded) * options.blockSize
      const wanted = Math.min(known - cached, this.#chunkLimit)
      if (!options.chunkedPrefill && wanted > budget) return
      const tokens = Math.min(wanted, budget)
      const whole = options.reserveFullPrompt || this.#reserve === 'prompt'
      if (!this.#fits(slot, hit, whole ? known : cached + tokens)) {
        // A chunk that starts after a hit can come to fit when decoding evicts the hit: then it starts earlier and ends earlier.
        this.#blocked = whole || (hit === 0 && loaded === 0)
        return
      }
      this.#promise(slot)
      this.#waiting.remove(slot)
      this.#waiting.admitted?.(slot)
      this.#list.append(slot)
      this.#running += 1
      this.#prefilling.push(slot)
      table.phase[slot] = PHASE.prefill
      this.kv.takeMatched(slot, hit)
      if (loaded > 0) {
        this.kv.load(slot, hit, loaded)
        this.#loaded += loaded
      }
      this.kv.allocate(slot, this.kv.blocksFor(this.#reserve === 'prompt' ? known : cached + tokens) - hit - loaded)
      this.#context.facts.observer.admitted(
        table.id[slot]!,
        toSeconds(now),
        this.#context.replica,
        cached,
        known,
        table.preemptions[slot]!,
      )
      this.#schedulePrefill(slot, run, tokens, cached, known)
      budget -= tokens
    }
  }

  /** Whether `tokens` tokens of the request fit, `hit` of its blocks being cached, with the watermark left over. */
  #fits(slot: number, hit: number, tokens: number): boolean {
    const kv = this.kv
    const needed = kv.blocksFor(tokens) - hit + kv.freeAmong(slot, hit)
    return needed + this.#watermark <= kv.freeBlocks - this.#group.blocksNeededNow()
  }

  /** Blocks that an admission leaves free. */
  get #watermark(): number {
    return this.#running > 0 ? Math.floor(this.#options.watermark * this.kv.totalBlocks) : 0
  }

  /** Blocks that the request can need at most. */
  #most(slot: number): number {
    const table = this.#table
    return this.kv.blocksFor(table.inputTokens[slot]! + (this.#context.prefillOnly ? 0 : table.maxTokens[slot]!))
  }

  #canPromise(slot: number, spare: number): boolean {
    return this.#promised + this.#most(slot) + spare <= this.kv.totalBlocks
  }

  #promise(slot: number): void {
    if (!this.#promises) return
    this.#promised += this.#most(slot)
    this.#peakPromised = Math.max(this.#peakPromised, this.#promised)
  }

  #withdraw(slot: number): void {
    if (this.#promises) this.#promised -= this.#most(slot)
  }

  /** Tokens of the step being composed that are the request's. */
  #scheduled(slot: number, run: StepRun): number {
    if (this.#table.phase[slot] === PHASE.decode) return 1
    for (let i = 0; i < run.chunkCount; i++) if (run.chunks[i]!.slot === slot) return run.chunks[i]!.tokens
    return 0
  }

  #schedulePrefill(slot: number, run: StepRun, tokens: number, context: number, known: number): void {
    const completes = context + tokens === known
    const chunk = run.nextChunk()
    chunk.slot = slot
    chunk.tokens = tokens
    chunk.context = context
    chunk.completes = completes
    run.prefillTokens += tokens
    this.#table.computed[slot] = context + tokens
    this.kv.commit(slot, context + tokens, 'step')
    if (completes) this.#endPrefill(slot)
  }

  #endPrefill(slot: number): void {
    const prefilling = this.#prefilling
    if (prefilling[prefilling.length - 1] === slot) prefilling.pop()
    else prefilling.splice(prefilling.indexOf(slot), 1)
  }

  /** Decides how many steps of this composition run, and how long they take. */
  #time(run: StepRun, preempted: boolean): void {
    const group = this.#group
    const cost = this.#context.cost
    run.firstStep = group.step
    run.sequences = group.sequences
    run.ghosts = this.#lag === 1 ? this.#countGhosts() : 0
    run.contextTokens = group.contextTokens
    run.steps = 1
    run.growthTicks = 0
    if (run.chunkCount > 0) {
      run.firstTicks = Math.max(1, Math.round(cost.seconds(this.#describe(run)) * TICKS_PER_SECOND)) + this.#copyTicks()
      return
    }
    const piece = cost.decodePiece(run.sequences, run.contextTokens, this.#piece)
    this.#setDecodeTicks(run, piece)
    const copying = this.#copyTicks()
    run.firstTicks += copying
    const made = copying > 0 || this.kv.visibility.composing
    const single = made || run.ghosts > 0 || run.irregular.length > 0 || (preempted && this.#waiting.length > 0)
    if (single || (this.#waiting.length > 0 && !this.#blocked)) return
    const valid = Math.floor((piece.validUntilContextTokens - run.contextTokens) / run.sequences) + 1
    const finish = group.calendar.next(group.step)!
    const even = group.window === undefined ? valid : Math.min(valid, group.window.evenSteps(group.step))
    const steps = Math.max(1, Math.min(finish - group.step + 1, even))
    run.steps = steps === 1 ? 1 : Math.max(1, group.stepsThatFit(this.kv.freeBlocks, steps))
    run.limitLength()
  }

  /** Ticks for what is copied to and from the host before the step being composed. */
  #copyTicks(): number {
    if (this.#copied === 0 && this.#loaded === 0) return 0
    const { swap, hostCache } = this.#options
    const swapping = Math.round(this.#copied * (swap?.secondsPerBlock ?? 0) * TICKS_PER_SECOND)
    const loading = Math.round(this.#loaded * (hostCache?.secondsPerBlock ?? 0) * TICKS_PER_SECOND)
    this.#copied = 0
    this.#loaded = 0
    return swapping + loading
  }

  /** Ticks of a pure decode step, and how they grow while every sequence gains a token a step. */
  #setDecodeTicks(run: StepRun, piece: DecodePiece): void {
    const { window } = this.#group
    const base = Math.round(piece.baseSeconds * TICKS_PER_SECOND)
    const slope = Math.round(piece.slopeSeconds * TICKS_PER_SECOND)
    const windowSlope = Math.round(piece.windowSlopeSeconds * TICKS_PER_SECOND)
    const ticks = base + slope * run.contextTokens + windowSlope * this.#group.windowTokens
    run.firstTicks = Math.max(1, ticks)
    run.growthTicks = slope * run.sequences + windowSlope * (window === undefined ? run.sequences : window.growing)
  }

  /** The batch of a mixed step, for the cost model. */
  #describe(run: StepRun): StepBatch {
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
    batch.decodeWindowTokens = this.#group.windowTokens
    return batch
  }

  // ---- joining and leaving the decode group --------------------------------------------------------------------------

  /** Async scheduling: requests whose last allowed token is in flight are not scheduled again. */
  #foreseeEndings(): void {
    const table = this.#table
    const group = this.#group
    for (let slot = group.calendar.at(group.step - 1); slot !== NO_SLOT; slot = table.finishNext[slot]!) {
      if (table.endsEarly[slot] === 1 || table.phase[slot] !== PHASE.decode) continue
      group.leaveSums(slot)
      this.#setLeaving(slot)
    }
  }

  #setLeaving(slot: number): void {
    this.#table.phase[slot] = PHASE.leaving
    this.#list.remove(slot)
  }

  /** Prompts completed by the last composed step, and caches that were transferred, decode from the next step on. */
  #joinDecode(run: StepRun): void {
    const table = this.#table
    const from = this.#joinFrom
    this.#joinFrom = undefined
    emptied(run.irregular)
    for (let i = 0; from !== undefined && i < from.chunkCount; i++) {
      const chunk = from.chunks[i]!
      if (!chunk.completes || chunk.slot === NO_SLOT) continue
      const slot = chunk.slot
      const emitted = table.emitted[slot]! + (from === this.#current ? 1 : 0)
      const remaining = table.outputTokens[slot]! - emitted
      const foreseen = remaining === 0 && table.endsEarly[slot] === 0
      if (foreseen || this.#context.prefillOnly) {
        table.joinStep[slot] = Number.POSITIVE_INFINITY
        this.#setLeaving(slot)
        continue
      }
      table.phase[slot] = PHASE.decode
      this.#group.join(slot, table.computed[slot]!, emitted, remaining)
    }
    if (this.#inserted.length > 0) this.#joinInserted(run)
  }

  #joinInserted(run: StepRun): void {
    const table = this.#table
    for (const slot of this.#inserted) {
      this.#list.append(slot)
      const emitted = table.emitted[slot]!
      this.#group.join(slot, table.computed[slot]!, emitted, table.outputTokens[slot]! - emitted)
      run.irregular.push(slot)
    }
    emptied(this.#inserted)
  }

  /** Sequences of the step being composed whose last token is in flight without the scheduler knowing. */
  #countGhosts(): number {
    const table = this.#table
    const group = this.#group
    let ghosts = 0
    for (let slot = group.calendar.at(group.step - 1); slot !== NO_SLOT; slot = table.finishNext[slot]!) {
      if (table.phase[slot] === PHASE.decode) ghosts += 1
    }
    const current = this.#current
    for (let i = 0; current !== undefined && i < current.chunkCount; i++) {
      const { slot, completes } = current.chunks[i]!
      if (
        completes &&
        slot !== NO_SLOT &&
        table.phase[slot] === PHASE.decode &&
        table.emitted[slot]! + 1 === table.outputTokens[slot]
      ) {
        ghosts += 1
      }
    }
    return ghosts
  }

  #victim(): number {
    if (this.#scheduler.victim === 'lastAdmitted') return this.#list.last
    let worst = this.#list.first
    let worstRank = this.#rank(worst)
    for (let slot = this.#table.runNext[worst]!; slot !== NO_SLOT; slot = this.#table.runNext[slot]!) {
      const rank = this.#rank(slot)
      if (rank > worstRank || (rank === worstRank && this.#table.id[slot]! > this.#table.id[worst]!)) {
        worst = slot
        worstRank = rank
      }
    }
    return worst
  }

  #rank(slot: number): number {
    return this.#scheduler.rank!(queuedRequest(this.#table, slot))
  }

  /** Takes a running request's blocks and puts it back into the queue; fails it when it can never fit. */
  #preempt(slot: number, run: StepRun, now: Time): void {
    const table = this.#table
    this.#unschedule(slot, run)
    const decoded = table.phase[slot] === PHASE.decode
    const computed = this.#leave(slot)
    if (table.emitted[slot]! > 0 && table.irregular[slot] === 0) {
      table.irregular[slot] = 1
      table.lastTokenSeconds[slot] = now.seconds
      table.lastTokenTicks[slot] = now.ticks
    }
    table.computed[slot] = 0
    const last = this.#context.prefillOnly || table.emitted[slot]! + 1 >= table.maxTokens[slot]!
    const tokens = table.inputTokens[slot]! + table.emitted[slot]! + (last ? 0 : 1)
    const needed = this.kv.blocksFor(tokens)
    if (needed > this.kv.totalBlocks) {
      const reason = `${tokens} tokens need ${needed} KV blocks of ${this.kv.blockSize} tokens, the replica has ${this.kv.totalBlocks}`
      this.#context.failed(slot, now, reason)
      return
    }
    table.phase[slot] = PHASE.waiting
    table.preemptions[slot]! += 1
    if (decoded) this.#swapOut(slot)
    this.#waiting.pushBack(slot)
    this.#context.facts.observer.preempted(table.id[slot]!, toSeconds(now), this.#context.replica, computed)
    this.#context.preempted?.(slot, now)
  }

  /** Keeps the KV of a preempted request on the host, where there is room. */
  #swapOut(slot: number): void {
    const table = this.#table
    const { swap } = this.#options
    if (swap === undefined || table.emitted[slot] === 0) return
    const blocks = this.kv.blocksFor(table.inputTokens[slot]! + table.emitted[slot]! - 1)
    if (this.#hostUsed + blocks > swap.hostBlocks) return
    table.hostBlocks[slot] = blocks
    this.#hostUsed += blocks
    this.#copied += blocks
  }

  /** Brings a request back from the host; it decodes in the step being composed. */
  #swapIn(slot: number, run: StepRun, known: number, now: Time): void {
    const table = this.#table
    const { observer } = this.#context.facts
    this.#waiting.remove(slot)
    this.#waiting.admitted?.(slot)
    this.#list.append(slot)
    this.#running += 1
    this.#promise(slot)
    this.#copied += table.hostBlocks[slot]!
    this.#leaveHost(slot)
    table.computed[slot] = known - 1
    this.kv.allocate(slot, this.kv.blocksFor(known - 1))
    this.kv.commit(slot, known - 1, 'step')
    observer.admitted(
      table.id[slot]!,
      toSeconds(now),
      this.#context.replica,
      known - 1,
      known,
      table.preemptions[slot]!,
    )
    table.phase[slot] = PHASE.decode
    const emitted = table.emitted[slot]!
    this.#group.join(slot, known - 1, emitted, table.outputTokens[slot]! - emitted)
    run.irregular.push(slot)
  }

  #leaveHost(slot: number): void {
    this.#hostUsed -= this.#table.hostBlocks[slot]!
    this.#table.hostBlocks[slot] = 0
  }

  /** Takes a victim's chunk out of the step being composed. */
  #unschedule(slot: number, run: StepRun): void {
    for (let i = 0; i < run.chunkCount; i++) {
      const chunk = run.chunks[i]!
      if (chunk.slot !== slot) continue
      run.prefillTokens -= chunk.tokens
      run.chunks.splice(i, 1)
      run.chunks.push(chunk)
      run.chunkCount -= 1
    }
    const irregular = run.irregular.indexOf(slot)
    if (irregular >= 0) run.irregular.splice(irregular, 1)
  }

  /** Takes a running request out of everything but the table, discarding a token in flight. Returns its computed tokens. */
  #leave(slot: number): number {
    const table = this.#table
    this.#list.remove(slot)
    this.#running -= 1
    this.#withdraw(slot)
    const decoding = table.phase[slot] === PHASE.decode
    const basis = decoding ? table.joinComputed[slot]! : table.computed[slot]!
    const held = decoding ? this.#leaveDecode(slot) : basis
    if (!decoding) {
      const at = this.#prefilling.indexOf(slot)
      if (at >= 0) this.#prefilling.splice(at, 1)
      this.#discardChunk(slot)
    }
    this.#waiting.left?.(slot)
    this.#freeBlocks(slot, basis, held, Math.min(held, table.inputTokens[slot]! + table.emitted[slot]!), 'flight')
    return held
  }

  #leaveDecode(slot: number): number {
    const table = this.#table
    const group = this.#group
    const held = group.computedAt(slot, group.step)
    const flying = this.#lag === 1 ? this.#current : undefined
    if (table.joinStep[slot] === group.step) {
      if (flying === undefined || !this.#discardChunk(slot)) table.emitted[slot] = table.joinEmitted[slot]!
    } else {
      table.emitted[slot] = group.emittedAt(slot, flying === undefined ? group.step : group.step - 1)
      if (flying !== undefined) this.#discardToken(slot, flying)
    }
    if (table.joinEmitted[slot]! < table.outputTokens[slot]!) group.calendar.remove(slot)
    group.leaveSums(slot)
    return held
  }

  /** The request's token of the step in flight will not be delivered. */
  #discardToken(slot: number, flying: StepRun): void {
    const irregular = flying.irregular.indexOf(slot)
    if (irregular >= 0) flying.irregular.splice(irregular, 1)
    flying.droppedInLast += 1
  }

  /** Forgets the request's completed prompt, in flight or ended; true when its token is in flight and so discarded. */
  #discardChunk(slot: number): boolean {
    let flying = false
    for (const run of [this.#joinFrom, this.#current]) {
      for (let i = 0; run !== undefined && i < run.chunkCount; i++) {
        const chunk = run.chunks[i]!
        if (chunk.slot !== slot) continue
        chunk.slot = NO_SLOT
        if (run === this.#current) flying ||= chunk.completes
      }
    }
    return flying
  }

  /**
   * Caches the first `text` tokens the request computed, and frees its blocks. While it decoded, the group took blocks for
   * it from `basis` to `held` computed tokens; they are its own.
   */
  #freeBlocks(slot: number, basis: number, held: number, text: number, origin: Origin): void {
    this.#table.privateBlocks[slot]! += this.kv.blocksFor(held) - this.kv.blocksFor(basis)
    this.kv.commit(slot, text, origin)
    this.kv.release(slot)
  }

  #dropDepartures(now: Time): void {
    for (const slot of this.#departures) {
      const inserted = this.#inserted.indexOf(slot)
      if (inserted >= 0) {
        this.#inserted.splice(inserted, 1)
        this.#running -= 1
        this.#withdraw(slot)
        this.kv.release(slot)
      } else {
        this.#leave(slot)
      }
      this.#blocked = false
      this.#context.finished(slot, now)
    }
    emptied(this.#departures)
  }

  // ---- step ends -----------------------------------------------------------------------------------------------------

  #begin(run: StepRun, now: Time): void {
    this.#current = run
    this.#attempted = false
    const { computing } = this.#context
    for (let i = 0; computing !== undefined && i < run.chunkCount; i++) {
      const { slot, tokens, context } = run.chunks[i]!
      if (slot !== NO_SLOT) computing(slot, context + tokens, now)
    }
  }

  /** All steps of `run` have ended at `now`: tokens go out, endings free their blocks, the next run begins. */
  #end(run: StepRun, now: Time): void {
    if (this.#lastComposed === run) {
      this.#settle(run.steps)
      this.#lastComposed = undefined
    }
    this.#report(run, run.steps)
    this.kv.visibility.land(now)
    this.#stepsDone += run.steps
    const table = this.#table
    const last = run.firstStep + run.steps - 1
    for (let slot = this.#group.calendar.at(last); slot !== NO_SLOT; ) {
      const next = table.finishNext[slot]!
      if (run.irregular.length === 0 || !run.irregular.includes(slot)) this.#finishDecode(slot, last, now)
      slot = next
    }
    if (run.irregular.length > 0) this.#endIrregular(run, last, now)
    for (let i = 0; i < run.chunkCount; i++) {
      const chunk = run.chunks[i]!
      if (chunk.completes && chunk.slot !== NO_SLOT && this.#completePrompt(chunk.slot, now)) chunk.slot = NO_SLOT
    }
    this.#spare.push(run)
    this.#current = undefined
    const next = this.#next
    this.#next = undefined
    if (next !== undefined) {
      this.#begin(next, now)
      if (this.#wantsStep()) next.steps = 1
    } else if (this.#hasWork()) {
      this.#due = true
      copyTime(this.#dueAt, now)
    }
  }

  /** Members whose gap did not begin with the step: each is told of by name. */
  #endIrregular(run: StepRun, last: number, now: Time): void {
    const table = this.#table
    for (const slot of run.irregular) {
      if (table.joinEmitted[slot] === 0) this.#tellFirstToken(slot, now)
      else this.#closeGap(slot, now)
      if (table.finishStep[slot] === last) this.#finishDecode(slot, last, now)
    }
  }

  /** Something could change the composition at the next opportunity. */
  #wantsStep(): boolean {
    return (this.#waiting.length > 0 && !this.#blocked) || this.#departures.length > 0 || this.#inserted.length > 0
  }

  #hasWork(): boolean {
    return this.#waiting.length > 0 || this.#running > 0 || this.#departures.length > 0
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

  #tellFirstToken(slot: number, now: Time): void {
    this.#table.irregular[slot] = 0
    if (this.#table.clientLeft[slot] === 0)
      this.#context.facts.observer.firstToken(this.#table.id[slot]!, toSeconds(now))
  }

  #finishDecode(slot: number, step: number, now: Time): void {
    const table = this.#table
    const group = this.#group
    group.calendar.remove(slot)
    const member = table.phase[slot] === PHASE.decode
    const held = group.computedAt(slot, member ? group.step : step + 1)
    const text = group.computedAt(slot, step + 1)
    if (member) {
      group.leaveSums(slot)
      this.#list.remove(slot)
    }
    table.emitted[slot] = table.outputTokens[slot]!
    this.#finish(slot, table.joinComputed[slot]!, held, text, now)
  }

  /** A prompt is computed and its token sampled. True when the request has left this engine. */
  #completePrompt(slot: number, now: Time): boolean {
    const table = this.#table
    if (this.#emitsFirst && this.#context.prefillOnly) return this.#handOver(slot, now)
    table.emitted[slot]! += 1
    if (table.emitted[slot] === 1) this.#tellFirstToken(slot, now)
    else if (table.irregular[slot] === 1) this.#closeGap(slot, now)
    const phase = table.phase[slot]!
    const ends = table.emitted[slot] === table.outputTokens[slot]
    if (!ends && !this.#context.prefillOnly) return false
    let held = table.computed[slot]!
    if (phase === PHASE.decode) {
      held = this.#group.computedAt(slot, this.#group.step)
      this.#group.leaveSums(slot)
    }
    if (ends) {
      if (phase !== PHASE.leaving) this.#list.remove(slot)
      this.#finish(slot, table.computed[slot]!, held, table.computed[slot]!, now)
      return true
    }
    return this.#handOver(slot, now)
  }

  /** The prompt is computed; another replica decodes. Its KV stays until it is there. */
  #handOver(slot: number, now: Time): true {
    const table = this.#table
    if (table.phase[slot] !== PHASE.leaving) this.#list.remove(slot)
    this.#waiting.left?.(slot)
    this.#forgetDeparture(slot)
    this.#running -= 1
    this.#blocked = false
    table.phase[slot] = PHASE.transferring
    table.lastTokenSeconds[slot] = now.seconds
    table.lastTokenTicks[slot] = now.ticks
    table.irregular[slot] = 1
    this.#context.prefilled(slot, now)
    return true
  }

  #finish(slot: number, basis: number, held: number, text: number, now: Time): void {
    this.#forgetDeparture(slot)
    this.#waiting.left?.(slot)
    this.#freeBlocks(slot, basis, held, text, 'past')
    this.#running -= 1
    this.#withdraw(slot)
    this.#blocked = false
    this.#context.finished(slot, now)
  }

  /** The request leaves by itself before its departure was taken up. */
  #forgetDeparture(slot: number): void {
    if (this.#table.clientLeft[slot] === 0) return
    const at = this.#departures.indexOf(slot)
    if (at >= 0) this.#departures.splice(at, 1)
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

  /** Accounts blocks and context for the first `steps` steps of the run composed last. */
  #settle(steps: number): void {
    const more = steps - this.#settled
    if (more <= 0) return
    const blocks = more === 1 ? this.#group.blocksNeededNow() : this.#group.blocksNeeded(more)
    if (blocks > 0) this.kv.take(blocks)
    this.#group.advance(more)
    this.#settled = steps
  }

  /** Accounts the steps composed before `now`. */
  #settleBy(now: Time): void {
    const run = this.#lastComposed
    if (run === undefined) return
    this.#settle(Math.min(run.steps, Math.max(1, run.firstBoundaryFrom(now) + this.#lag)))
  }

  #stepsEndedBy(now: Time): number {
    const current = this.#current
    return current === undefined ? this.#group.step : current.firstStep + current.endedBy(now)
  }

  #tellChunks(run: StepRun): void {
    if (run.chunkCount === 0 || !this.#context.facts.chunks) return
    const time = toSeconds(run.start)
    for (let i = 0; i < run.chunkCount; i++) {
      const chunk = run.chunks[i]!
      const request = this.#table.id[chunk.slot]!
      this.#context.facts.observer.prefillChunk(request, time, this.#context.replica, chunk.tokens, chunk.context)
    }
  }

  /** Tells observers about the steps of `run` before step `upTo` that they have not heard of. */
  #report(run: StepRun, upTo: number): void {
    const from = run.reported
    if (upTo <= from) return
    const { observer, steps } = this.#context.facts
    const replica = this.#context.replica
    const begin = toSeconds(run.boundary(from, this.#at))
    const sequences = run.sequences - run.ghosts - run.irregular.length
    const first = run.firstTicks + run.growthTicks * from
    const dropped = upTo === run.steps ? run.droppedInLast : 0
    const whole = dropped > 0 ? upTo - from - 1 : upTo - from
    if (sequences > 0 && whole > 0) observer.decodeRun(replica, begin, whole, sequences, first, run.growthTicks)
    if (dropped > 0 && sequences > dropped) {
      const at = toSeconds(run.boundary(upTo - 1, this.#at))
      observer.decodeRun(replica, at, 1, sequences - dropped, run.firstTicks + run.growthTicks * (upTo - 1), 0)
    }
    if (steps) {
      const end = toSeconds(run.boundary(upTo, this.#at))
      const context = run.contextTokens + run.sequences * from
      observer.stepped(replica, begin, end, upTo - from, run.sequences, run.prefillTokens, context)
    }
    run.reported = upTo
  }
}
