import { addTicks, compareTime, type Time, toSeconds } from '@windtunnel/des'
import { NO_SLOT } from '../../requests.ts'
import { type ContextGrowth, emptyPiece, setDecodeTicks } from '../decodeTicks.ts'
import { StepRun } from '../stepRun.ts'
import type { DetokeniseThread } from './detokeniseThread.ts'
import type { Server } from './server.ts'
import type { SlotGroup } from './slotGroup.ts'

/**
 * Steps of a generate thread that are alike and make one run: their times, what of them has been handed over and
 * detokenised, and what observers have heard of. When steps may be skipped is for GenerateThread to say.
 */
export class GenerateRun {
  readonly #server: Server
  readonly #group: SlotGroup
  readonly #detokenise: DetokeniseThread
  readonly #run = new StepRun()
  /** Steps of the run whose tokens have been handed over. */
  #handed = 0
  /** Steps for which the piece of the cost holds, from the start of the run. */
  #validSteps = 0
  #tokensPerStep = 0
  /** Steps cost something else by now: no further one is like these. */
  #isOld = false
  /** Occupied slots when the run began. */
  #composed = 0
  readonly #piece = emptyPiece()
  readonly #until: Time = { seconds: 0, ticks: 0 }
  readonly #at: Time = { seconds: 0, ticks: 0 }

  constructor(server: Server, group: SlotGroup, detokenise: DetokeniseThread) {
    this.#server = server
    this.#group = group
    this.#detokenise = detokenise
  }

  get until(): Time {
    return this.#run.boundary(this.#run.steps, this.#until)
  }

  /** One step, from `now` on. */
  begin(now: Time): void {
    const { context, options } = this.#server
    const { sequences, contextTokens, step } = this.#group
    const run = this.#run
    run.startAt(now)
    run.firstStep = step
    run.steps = 1
    run.reported = 0
    this.#handed = 0
    this.#composed = sequences
    const slots = options.maxSequences
    run.sequences = options.slotCost === 'live' ? sequences : slots
    if (options.slotCost === 'full') run.contextTokens = slots * options.maxModelLength
    else run.contextTokens = contextTokens + run.sequences - sequences
    const growth = this.#growth()
    this.#tokensPerStep = growth.tokensPerStep
    this.#isOld = false
    this.#validSteps = setDecodeTicks(run, context.cost, growth, this.#piece)
  }

  #growth(): ContextGrowth {
    const { context, options } = this.#server
    const { sequences, step, window } = this.#group
    const run = this.#run
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

  /** All its steps have ended; returns the last one. */
  end(): number {
    const run = this.#run
    this.#tell(run.steps)
    this.#server.stepsDone += run.steps
    this.#group.advance(run.steps)
    return run.firstStep + run.steps - 1
  }

  costChanged(): void {
    this.#isOld = true
  }

  /** Makes it as long as its steps stay alike: to the next last token, within the piece of the cost. */
  extend(): void {
    const run = this.#run
    if (this.#isOld || this.#group.sequences !== this.#composed) return
    const now = run.steps
    const finish = this.#group.calendar.next(run.firstStep + now - 1)
    if (finish === undefined) return
    const steps = Math.min(finish - run.firstStep + 1, this.#validSteps)
    if (steps <= now) return
    const shortest = run.firstTicks + run.growthTicks * (run.growthTicks < 0 ? steps - 1 : now)
    if (this.#detokenise.stepTicks > shortest) return
    run.steps = steps
    run.limitLength()
    run.steps = Math.max(run.steps, now)
  }

  /**
   * Something happens at `now`: the step in flight is the last of the run, and what the run has skipped is accounted. A
   * skipped step that ends just now is the one in flight while ends are due; after that it has ended, with all that follows:
   * then the run is over, and the answer true.
   */
  cut(now: Time, endsAreDue: boolean): boolean {
    const run = this.#run
    if (run.steps === 1) return false
    let ended = this.#skippedBy(now)
    const endsNow = this.#endsAt(now)
    if (endsNow && endsAreDue) ended -= 1
    if (ended > this.#handed) this.#handOver(ended, now)
    if (!endsNow || endsAreDue) {
      run.steps = ended + 1
      return false
    }
    run.steps = ended
    this.end()
    return true
  }

  /** The tokens of the first `ended` steps are with the detokenise thread, which may have one of them in hand. */
  #handOver(ended: number, now: Time): void {
    const run = this.#run
    const delivered = Math.min(ended, this.#deliveredBy(now))
    const ticks = this.#detokenise.stepTicks
    this.#detokenise.deliverRun(run, this.#handed, delivered, ticks)
    if (delivered < ended) {
      const step = run.firstStep + ended - 1
      const until = addTicks(run.boundary(ended, this.#at), ticks)
      this.#detokenise.work({ kind: 'step', slot: NO_SLOT, generation: 0, step }, until)
    }
    this.#handed = ended
  }

  /** Tells observers what had ended before `now` of the steps that are skipped; `cut` may see one that ends at `now`. */
  report(now: Time): void {
    const before = this.#skippedBy(now) - (this.#endsAt(now) ? 1 : 0)
    const upTo = Math.min(before, this.#deliveredBy(now))
    this.#detokenise.deliverRun(this.#run, this.#handed, upTo, this.#detokenise.stepTicks)
    this.#handed = Math.max(this.#handed, upTo)
    this.#tell(before)
  }

  /** Steps detokenised by `now` beyond those that the detokenise thread knows of. */
  skippedDeliveries(now: Time): number {
    return Math.max(0, this.#deliveredBy(now) - this.#handed)
  }

  endedBy(now: Time): number {
    return this.#run.endedBy(now)
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

  #tell(upTo: number): void {
    const run = this.#run
    const from = run.reported
    if (upTo <= from) return
    const { context, observer } = this.#server
    const begin = toSeconds(run.boundary(from, this.#at))
    const end = toSeconds(run.boundary(upTo, this.#at))
    const contextTokens = run.contextTokens + this.#tokensPerStep * from
    observer.stepped(context.replica, begin, end, upTo - from, run.sequences, 0, contextTokens, this.#tokensPerStep)
    run.reported = upTo
  }
}
