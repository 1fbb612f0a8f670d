import { emptyBatch, type StepBatch } from '@windtunnel/cost/step/stepCost'
import { addSeconds, compareTime, copyTime, TICKS_PER_SECOND, type Time, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE, type RequestTable } from '../../requests.ts'
import type { Scheduler } from '../../schedulers/index.ts'
import { type ContextGrowth, emptyPiece, setDecodeTicks } from '../decodeTicks.ts'
import { type Engine, type EngineContext, ORDER } from '../engine.ts'
import { queueFor, refiled } from '../queueFor.ts'
import { RunningList } from '../runningList.ts'
import { StepRun } from '../stepRun.ts'
import type { WaitingQueue } from '../waitingQueue.ts'
import { PaddedBatch } from './paddedBatch.ts'
import type { StaticOptions } from './staticOptions.ts'

/**
 * Static batching: a batch is put together, padded, prefilled in one step, and decoded until its longest output has ended.
 * The rules are in SEMANTICS.md, "Static engine".
 *
 * Fast form: a row costs the same whether its request lives or not, so all decode steps between two endings are one StepRun.
 * Skipping must stop at an ending (fewer sequences get a token, and somebody must be told), at a departure (the batch may be
 * over), and where the affine piece of the cost ends. An arrival stops nothing: nobody joins a batch that runs.
 */
export class StaticEngine implements Engine {
  peakUsedBlocks = 0
  readonly totalBlocks: number
  usedBlocks = 0
  stepsDone = 0
  #batch: PaddedBatch
  #run = new StepRun()
  #stepping = false
  #prefilling = false
  /** The batch has steps to come: one is composed at `#dueAt`. */
  #going = false
  readonly #dueAt: Time = { seconds: 0, ticks: 0 }
  #waiting: WaitingQueue
  /** The same requests in order of arrival. */
  #byArrival: RunningList
  #departures: number[] = []
  #scheduler: Scheduler
  #context: EngineContext
  #options: StaticOptions
  #table: RequestTable
  #step: StepBatch = emptyBatch()
  #piece = emptyPiece()
  readonly #at: Time = { seconds: 0, ticks: 0 }
  readonly #fullAt: Time = { seconds: 0, ticks: 0 }

  constructor(context: EngineContext, options: StaticOptions) {
    this.#context = context
    this.#options = options
    this.#table = context.table
    this.totalBlocks = options.totalBlocks
    this.#batch = new PaddedBatch(context.table)
    this.#byArrival = new RunningList(context.table)
    this.#scheduler = context.scheduler
    this.#waiting = queueFor(context.scheduler, context.table)
  }

  get running(): number {
    return this.#going || this.#stepping ? this.#batch.live : 0
  }

  get waiting(): number {
    return this.#waiting.length
  }

  refuses(slot: number): string | undefined {
    const { maxModelLength, blockSize, totalBlocks } = this.#options
    const input = this.#table.inputTokens[slot]!
    const limit = this.#table.maxTokens[slot]!
    if (input + limit > maxModelLength)
      return `prompt of ${input} tokens and max_tokens ${limit} exceed the maximum model length of ${maxModelLength}`
    const blocks = Math.ceil((input + limit) / blockSize)
    if (blocks > totalBlocks)
      return `prompt of ${input} tokens and max_tokens ${limit} reserve ${blocks} KV blocks of ${blockSize} tokens, the replica has ${totalBlocks}`
    return undefined
  }

  nextEvent(into: Time): number | undefined {
    if (this.#stepping) {
      this.#run.boundary(this.#run.steps, into)
      return ORDER.stepEnd
    }
    if (!this.#going && this.#waiting.length === 0) return undefined
    copyTime(into, this.#dueAt)
    if (!this.#going && this.#waiting.length < this.#options.maxSequences) this.#waitForMore(into)
    return ORDER.compose
  }

  handle(now: Time): void {
    if (this.#stepping) this.#end(now)
    else this.#compose(now)
  }

  enqueue(slot: number, now: Time): void {
    const table = this.#table
    table.phase[slot] = PHASE.waiting
    table.replica[slot] = this.#context.replica
    this.#waiting.push(slot)
    this.#byArrival.append(slot)
    if (!this.#stepping && !this.#going) copyTime(this.#dueAt, now)
  }

  abandon(slot: number, now: Time): void {
    if (this.#table.phase[slot] === PHASE.waiting) {
      this.#takeFromQueue(slot)
      if (!this.#stepping && !this.#going) copyTime(this.#dueAt, now)
      this.#context.finished(slot, now)
      return
    }
    this.#departures.push(slot)
    this.#cutRun(now)
  }

  costChanged(now: Time): void {
    this.#cutRun(now)
  }

  /** The run in progress ends at its next step boundary. */
  #cutRun(now: Time): void {
    if (this.#stepping) this.#run.steps = Math.min(this.#run.steps, Math.max(1, this.#run.firstBoundaryFrom(now)))
  }

  setScheduler(scheduler: Scheduler): void {
    this.#waiting = refiled(this.#waiting, scheduler, this.#table)
    this.#scheduler = scheduler
  }

  reserveIncoming(): boolean {
    throw new Error('the static engine runs whole requests: give its pool the role both')
  }

  insert(): void {
    this.reserveIncoming()
  }

  cancelIncoming(): void {
    this.reserveIncoming()
  }

  releaseTransferred(): void {
    this.reserveIncoming()
  }

  emittedBy(slot: number, now: Time): number {
    if (this.#table.phase[slot] !== PHASE.decode) return 0
    const steps = this.#batch.steps + (this.#stepping ? this.#run.endedBy(now) : 0)
    return Math.min(this.#table.outputTokens[slot]!, 1 + steps)
  }

  report(now: Time): void {
    if (this.#stepping) this.#report(Math.min(this.#run.endedBy(now), this.#run.steps - 1))
  }

  cachedTokens(): number {
    return 0
  }

  contextTokensAt(now: Time): number {
    if (!this.#stepping || this.#prefilling) return 0
    return this.#run.contextTokens + this.#run.sequences * (this.#run.endedBy(now) - 1)
  }

  stuckReason(): string {
    return this.#waiting.length === 0 ? 'nothing waits' : `${this.#waiting.length} requests wait for a batch`
  }

  // ---- composition -------------------------------------------------------------------------------------------------

  /** Moves `into` on to the time at which the longest waiting request will wait no more. */
  #waitForMore(into: Time): void {
    const table = this.#table
    const oldest = this.#byArrival.first
    const at = this.#fullAt
    at.seconds = table.arrivalSeconds[oldest]!
    at.ticks = table.arrivalTicks[oldest]!
    addSeconds(at, this.#options.maxWaitSeconds)
    if (compareTime(at, into) > 0) copyTime(into, at)
  }

  #compose(now: Time): void {
    this.#dropDepartures(now)
    if (this.#going && this.#batch.live > 0) {
      this.#decode(now)
      return
    }
    this.#going = false
    this.usedBlocks = 0
    copyTime(this.#dueAt, now)
    if (this.nextEvent(this.#at) === undefined || compareTime(this.#at, now) > 0) return
    this.#fill(now)
    this.#prefill(now)
  }

  #dropDepartures(now: Time): void {
    for (const slot of this.#departures) {
      this.#batch.drop(slot)
      this.#context.finished(slot, now)
    }
    this.#departures.length = 0
  }

  #fill(now: Time): void {
    const { maxSequences, blockSize, totalBlocks } = this.#options
    const table = this.#table
    const batch = this.#batch
    batch.clear()
    while (this.#waiting.length > 0 && batch.rows < maxSequences) {
      const slot = this.#waiting.head()
      const blocks = batch.blocksWith(slot, blockSize)
      if (blocks > totalBlocks) break
      this.#takeFromQueue(slot)
      batch.add(slot)
      table.phase[slot] = PHASE.prefill
      this.usedBlocks = blocks
      const { observer } = this.#context.facts
      observer.admitted(table.id[slot]!, toSeconds(now), this.#context.replica, 0, table.inputTokens[slot]!, 0)
    }
    batch.close()
    this.peakUsedBlocks = Math.max(this.peakUsedBlocks, this.usedBlocks)
  }

  #takeFromQueue(slot: number): void {
    this.#waiting.remove(slot)
    this.#byArrival.remove(slot)
  }

  // ---- steps -------------------------------------------------------------------------------------------------------

  /** One step computes all prompts, each padded to the longest. */
  #prefill(now: Time): void {
    const { rows, inputTokens, members } = this.#batch
    const step = this.#step
    step.chunkCount = rows
    step.chunkSamples = rows
    const time = toSeconds(now)
    for (let row = 0; row < rows; row++) {
      const slot = members[row]!
      step.chunkTokens[row] = inputTokens
      step.chunkContext[row] = 0
      const { observer } = this.#context.facts
      const own = this.#table.inputTokens[slot]!
      observer.prefillChunk(this.#table.id[slot]!, time, this.#context.replica, own, 0)
    }
    const run = this.#begin(now)
    run.sequences = 0
    run.contextTokens = 0
    run.prefillTokens = rows * inputTokens
    run.firstTicks = Math.max(1, Math.round(this.#context.cost.seconds(step) * TICKS_PER_SECOND))
    run.growthTicks = 0
    run.steps = 1
    this.#prefilling = true
  }

  /** Decode steps until the next ending: step k of a batch attends to the padded prompt and k tokens, in every row. */
  #decode(now: Time): void {
    const { rows, inputTokens, steps } = this.#batch
    const run = this.#begin(now)
    run.sequences = rows
    run.contextTokens = rows * (inputTokens + steps + 1)
    run.prefillTokens = 0
    const valid = setDecodeTicks(run, this.#context.cost, this.#growth(inputTokens + steps + 1), this.#piece)
    const untilEnding = this.#table.outputTokens[this.#batch.nextToEnd()]! - 1 - steps
    run.steps = Math.min(untilEnding, valid)
    run.limitLength()
    this.#prefilling = false
  }

  /** Every row attends to `context` entries in the next step, and to one more in each further one. */
  #growth(context: number): ContextGrowth {
    const { rows } = this.#batch
    const window = this.#context.attentionWindowTokens ?? Number.POSITIVE_INFINITY
    const grows = context < window
    return {
      tokensPerStep: rows,
      windowTokens: rows * Math.min(context, window),
      windowTokensPerStep: grows ? rows : 0,
      evenSteps: grows ? window - context + 1 : Number.POSITIVE_INFINITY,
    }
  }

  #begin(now: Time): StepRun {
    this.#run.startAt(now)
    this.#run.reported = 0
    this.#stepping = true
    return this.#run
  }

  #end(now: Time): void {
    const run = this.#run
    this.#report(run.steps)
    this.#stepping = false
    this.stepsDone += run.steps
    if (this.#prefilling) this.#firstTokens(now)
    else this.#batch.steps += run.steps
    this.#endRequests(now)
    if (this.#batch.live === 0) this.usedBlocks = 0
    this.#going = true
    copyTime(this.#dueAt, now)
  }

  #firstTokens(now: Time): void {
    const table = this.#table
    const time = toSeconds(now)
    for (const slot of this.#batch.members) {
      table.phase[slot] = PHASE.decode
      if (table.clientLeft[slot] === 0) this.#context.facts.observer.firstToken(table.id[slot]!, time)
    }
  }

  /** Requests whose last token this was end; their rows go on. */
  #endRequests(now: Time): void {
    const table = this.#table
    const emitted = this.#batch.steps + 1
    for (
      let slot = this.#batch.nextToEnd();
      slot !== NO_SLOT && table.outputTokens[slot] === emitted;
      slot = this.#batch.nextToEnd()
    ) {
      this.#batch.endNext()
      table.emitted[slot] = emitted
      if (table.clientLeft[slot] === 1) this.#departures.splice(this.#departures.indexOf(slot), 1)
      this.#context.finished(slot, now)
    }
  }

  /** Tells observers about the steps of the run before step `upTo` that they have not heard of. */
  #report(upTo: number): void {
    const run = this.#run
    const from = run.reported
    if (upTo <= from) return
    const { observer } = this.#context.facts
    const replica = this.#context.replica
    const begin = toSeconds(run.boundary(from, this.#at))
    if (!this.#prefilling) {
      const first = run.firstTicks + run.growthTicks * from
      observer.decodeRun(replica, begin, upTo - from, this.#batch.live, first, run.growthTicks)
    }
    const end = toSeconds(run.boundary(upTo, this.#at))
    const context = run.contextTokens + run.sequences * from
    observer.stepped(replica, begin, end, upTo - from, run.sequences, run.prefillTokens, context, run.sequences)
    run.reported = upTo
  }
}
