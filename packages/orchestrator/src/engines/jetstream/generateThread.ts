import { addTicks, compareTime, copyTime, type Time, ticksFromSeconds, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import { type ContextGrowth, emptyPiece, setDecodeTicks } from '../decodeTicks.ts'
import { StepRun } from '../stepRun.ts'
import type { DetokeniseThread, Result } from './detokeniseThread.ts'
import type { Device } from './device.ts'
import { promptPieces } from './promptPieces.ts'
import type { Server, Thread } from './server.ts'
import { SlotGroup } from './slotGroup.ts'

export type GenerateState =
  | 'ready'
  | 'waiting'
  | 'wantsInsert'
  | 'inserting'
  | 'wantsStep'
  | 'stepping'
  | 'blockedOnDetokenise'

/** JetStream asks a queue for a request for so long before it looks again. */
const GET_TIMEOUT_SECONDS = 1

/**
 * Inserts as many prefixes as it has slots and requests for, then makes one step, and so on.
 *
 * Fast form: a run is one step when it begins. `extend` makes it longer when nothing but the clock will change what the next
 * steps are: no insert is possible (no free slot, or nothing waits), no slot has come back since the step in flight began (the
 * next one is lighter), nobody stands in line for the device, the detokenise thread is idle, all its sequences had their last token together, and it reads a step's tokens faster than the next step
 * runs. Skipping must stop at the step that makes somebody's last token (its slot comes back), at the end of the affine piece
 * of the cost, and at the step in flight whenever anything else happens on this server (`cut`): an arrival, the end of a
 * prefill, a copy or a first token, a client that leaves. Where the detokenise thread is slower than the steps, there is no
 * skipping: its queue fills and the steps wait for it, one by one.
 */
export class GenerateThread implements Thread {
  state: GenerateState = 'ready'
  freeSlots: number
  readonly backlog: number[] = []
  readonly group: SlotGroup
  /** While it waits with live slots, strict mode looks again only at this time. */
  readonly lookAgainAt: Time = { seconds: 0, ticks: 0 }
  looksAgain = false
  #server: Server
  #index: number
  #device: Device<Thread>
  #detokenise: DetokeniseThread
  #run = new StepRun()
  /** Steps of the run whose tokens have been handed over. */
  #handed = 0
  /** Steps for which the piece of the cost holds, from the start of the run. */
  #validSteps = 0
  #tokensPerStep = 0
  /** Occupied slots when the run began. */
  #composed = 0
  #held: Result | undefined
  #slot = NO_SLOT
  #piece = emptyPiece()
  readonly #until: Time = { seconds: 0, ticks: 0 }
  readonly #at: Time = { seconds: 0, ticks: 0 }

  constructor(server: Server, index: number, device: Device<Thread>, detokenise: DetokeniseThread) {
    this.#server = server
    this.#index = index
    this.#device = device
    this.#detokenise = detokenise
    this.freeSlots = server.options.maxSequences
    this.group = new SlotGroup(server.table, server.context.attentionWindowTokens)
    detokenise.serve(this)
  }

  get hasRoom(): boolean {
    const { generateBacklog } = this.#server.options
    return generateBacklog === 0 || this.backlog.length < generateBacklog
  }

  get until(): Time | undefined {
    if (this.state === 'stepping') return this.#run.boundary(this.#run.steps, this.#until)
    return this.state === 'inserting' ? this.#until : undefined
  }

  end(): void {
    this.#device.release()
    if (this.state === 'inserting') this.#inserted()
    else this.#stepped()
  }

  advance(now: Time): boolean {
    let moved = false
    while (this.#step(now)) moved = true
    return moved
  }

  /** Puts the result in hand before the detokenise thread; false when there is none or no room. */
  handOver(): boolean {
    if (this.state !== 'blockedOnDetokenise' || !this.#detokenise.hasRoom) return false
    this.#detokenise.put(this.#held!)
    this.state = 'ready'
    return true
  }

  /** The slot is free again. */
  giveBack(slot: number): void {
    this.#server.stages.holdsSlot[slot] = 0
    this.freeSlots += 1
    this.group.leave(slot)
  }

  #step(now: Time): boolean {
    switch (this.state) {
      case 'ready':
        return this.#choose(now)
      case 'waiting':
        return this.#wait(now)
      case 'wantsInsert':
        return this.#device.take(this) && this.#insert(now)
      case 'wantsStep':
        return this.#device.take(this) && this.#begin(now)
      case 'blockedOnDetokenise':
        return this.handOver()
      default:
        return false
    }
  }

  // ---- inserts -----------------------------------------------------------------------------------------------------

  #choose(now: Time): boolean {
    if (this.freeSlots > 0 && this.backlog.length > 0) return this.#take(now)
    if (this.freeSlots > 0 && this.#waits()) {
      this.state = 'waiting'
      this.#setLookAgain(now)
    } else this.state = 'wantsStep'
    return true
  }

  #take(now: Time): boolean {
    const slot = this.backlog.shift()!
    if (this.#server.hasLeft(slot)) {
      this.#server.end(slot, now)
      return true
    }
    this.#server.metrics.dequeued(slot, now)
    this.freeSlots -= 1
    this.#slot = slot
    this.state = 'wantsInsert'
    return true
  }

  /** Whether it asks its backlog for a request and waits for one, rather than making a step. */
  #waits(): boolean {
    return this.group.sequences === 0 || (this.#server.interleaved && this.#server.hasPromptsWaiting())
  }

  #setLookAgain(now: Time): void {
    this.looksAgain = this.#server.options.strict && this.group.sequences > 0
    copyTime(this.lookAgainAt, now)
    this.lookAgainAt.seconds += GET_TIMEOUT_SECONDS
  }

  #wait(now: Time): boolean {
    if (this.backlog.length > 0) {
      this.looksAgain = false
      this.state = 'ready'
      return true
    }
    if (this.#server.options.strict && !(this.looksAgain && compareTime(this.lookAgainAt, now) <= 0)) return false
    if (this.#waits()) {
      this.#setLookAgain(now)
      return false
    }
    this.looksAgain = false
    this.state = 'wantsStep'
    return true
  }

  #insert(now: Time): boolean {
    const { options, table } = this.#server
    const pieces = promptPieces(table.inputTokens[this.#slot]!, options)
    const bytes = pieces.count * pieces.tokens * options.kvBytesPerToken
    const ticks = ticksFromSeconds(bytes / options.insertBytesPerSecond)
    this.state = 'inserting'
    if (ticks > 0) {
      copyTime(this.#until, now)
      addTicks(this.#until, ticks)
    } else {
      this.#device.release()
      this.#inserted()
    }
    return true
  }

  /** The request decodes from the next step on; one that ended with its first token for one step. */
  #inserted(): void {
    const { options, stages, table } = this.#server
    const slot = this.#slot
    const { realTokens } = promptPieces(table.inputTokens[slot]!, options)
    table.phase[slot] = PHASE.decode
    stages.generate[slot] = this.#index
    stages.holdsSlot[slot] = 1
    this.group.join(slot, realTokens, Math.max(1, table.outputTokens[slot]! - 1), this.#detokenise.delivered)
    this.#held = { kind: 'insert', slot, generation: 0, step: 0 }
    this.state = 'blockedOnDetokenise'
  }

  // ---- steps -------------------------------------------------------------------------------------------------------

  #begin(now: Time): boolean {
    const { context, options } = this.#server
    const { sequences, contextTokens, step } = this.group
    const run = this.#run
    copyTime(run.start, now)
    run.firstStep = step
    run.steps = 1
    run.reported = 0
    this.#handed = 0
    this.#composed = sequences
    const slots = options.maxSequences
    run.sequences = options.slotCost === 'live' ? sequences : slots
    if (options.slotCost === 'full') run.contextTokens = slots * options.maxModelLength
    else run.contextTokens = contextTokens + run.sequences - sequences
    const growth = this.#growth(run)
    this.#tokensPerStep = growth.tokensPerStep
    this.#validSteps = setDecodeTicks(run, context.cost, growth, this.#piece)
    this.state = 'stepping'
    return true
  }

  #growth(run: StepRun): ContextGrowth {
    const { context, options } = this.#server
    const { sequences, step, window } = this.group
    const evenSteps = Number.POSITIVE_INFINITY
    if (options.slotCost === 'full') {
      const windowTokens = run.sequences * Math.min(options.maxModelLength, context.attentionWindowTokens ?? evenSteps)
      return { tokensPerStep: 0, windowTokens, windowTokensPerStep: 0, evenSteps }
    }
    if (window === undefined) {
      const windowTokens = run.contextTokens
      return { tokensPerStep: sequences, windowTokens, windowTokensPerStep: sequences, evenSteps }
    }
    return {
      tokensPerStep: sequences,
      windowTokens: window.tokens + run.sequences - sequences,
      windowTokensPerStep: window.growing,
      evenSteps: window.evenSteps(step),
    }
  }

  #stepped(): void {
    const { options, stages, table } = this.#server
    const last = this.#run.firstStep + this.#run.steps - 1
    this.#endRun()
    if (!options.strict) {
      const { calendar } = this.group
      for (let slot = calendar.at(last); slot !== NO_SLOT; slot = table.finishNext[slot]!)
        if (stages.holdsSlot[slot] === 1) this.giveBack(slot)
    }
    this.#held = { kind: 'step', slot: NO_SLOT, generation: 0, step: last }
    this.state = 'blockedOnDetokenise'
  }

  #endRun(): void {
    this.#tellSteps(this.#run.steps)
    this.#server.stepsDone += this.#run.steps
    this.group.advance(this.#run.steps)
  }

  /**
   * Something happens at `now`: the step in flight is the last of the run, and what the run has skipped is accounted. A
   * skipped step that ends just now is the one in flight while ends are due; after that it has ended, with all that follows.
   */
  cut(now: Time, endsAreDue: boolean): void {
    const run = this.#run
    if (this.state !== 'stepping' || run.steps === 1) return
    let ended = this.#skippedBy(now)
    const endsNow = this.#endsAt(now)
    if (endsNow && endsAreDue) ended -= 1
    const delivered = Math.min(ended, this.#deliveredBy(now))
    if (ended > this.#handed) {
      const ticks = this.#detokenise.stepTicks
      this.#detokenise.deliverRun(run, this.#handed, delivered, ticks)
      if (delivered < ended) {
        const step = run.firstStep + ended - 1
        const until = addTicks(run.boundary(ended, this.#at), ticks)
        this.#detokenise.work({ kind: 'step', slot: NO_SLOT, generation: 0, step }, until)
      }
      this.#handed = ended
    }
    if (!endsNow || endsAreDue) {
      run.steps = ended + 1
      return
    }
    run.steps = ended
    this.#device.release()
    this.#endRun()
    this.state = 'ready'
  }

  /** Makes the run as long as nothing changes (see above). To be called when all threads have come to rest. */
  extend(): void {
    const run = this.#run
    const detokenise = this.#detokenise
    if (this.state !== 'stepping' || this.#device.wanted || !detokenise.isSteady) return
    if (this.freeSlots > 0 && (this.backlog.length > 0 || this.#waits())) return
    if (this.group.sequences !== this.#composed) return
    const now = run.steps
    const finish = this.group.calendar.next(run.firstStep + now - 1)
    if (finish === undefined) return
    const steps = Math.min(finish - run.firstStep + 1, this.#validSteps)
    if (steps <= now) return
    const shortest = run.firstTicks + run.growthTicks * (run.growthTicks < 0 ? steps - 1 : now)
    if (detokenise.stepTicks > shortest) return
    run.steps = steps
    run.limitLength()
    run.steps = Math.max(run.steps, now)
  }

  /** Tells observers what had ended before `now` of the steps that are skipped; `cut` may see one that ends at `now`. */
  report(now: Time): void {
    if (this.state !== 'stepping') return
    const before = this.#skippedBy(now) - (this.#endsAt(now) ? 1 : 0)
    const upTo = Math.min(before, this.#deliveredBy(now))
    this.#detokenise.deliverRun(this.#run, this.#handed, upTo, this.#detokenise.stepTicks)
    this.#handed = Math.max(this.#handed, upTo)
    this.#tellSteps(before)
  }

  /** Steps of the engine whose tokens its clients have by `now`. */
  deliveredBy(now: Time): number {
    const skipped = this.state === 'stepping' ? Math.max(0, this.#deliveredBy(now) - this.#handed) : 0
    return this.#detokenise.delivered + skipped
  }

  contextTokensAt(now: Time): number {
    const { contextTokens, sequences } = this.group
    return contextTokens - sequences + (this.state === 'stepping' ? sequences * this.#run.endedBy(now) : 0)
  }

  /** How many steps of the run, its last one apart, have ended by `now`. */
  #skippedBy(now: Time): number {
    return Math.min(this.#run.endedBy(now), this.#run.steps - 1)
  }

  /** Whether a skipped step ends at `now`. */
  #endsAt(now: Time): boolean {
    const ended = this.#skippedBy(now)
    return ended > 0 && compareTime(this.#run.boundary(ended, this.#at), now) === 0
  }

  /** How many of those have been detokenised by `now`: all, or all but the last. */
  #deliveredBy(now: Time): number {
    const ended = this.#skippedBy(now)
    if (ended <= this.#handed) return this.#handed
    const last = addTicks(this.#run.boundary(ended, this.#at), this.#detokenise.stepTicks)
    return compareTime(last, now) <= 0 ? ended : ended - 1
  }

  #tellSteps(upTo: number): void {
    const run = this.#run
    const from = run.reported
    if (upTo <= from) return
    const { context, observer } = this.#server
    const begin = toSeconds(run.boundary(from, this.#at))
    const end = toSeconds(run.boundary(upTo, this.#at))
    const contextTokens = run.contextTokens + this.#tokensPerStep * from
    observer.stepped(context.replica, begin, end, upTo - from, run.sequences, 0, contextTokens)
    run.reported = upTo
  }
}
