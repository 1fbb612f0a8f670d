import { addTicks, copyTime, type Time, ticksBetween, ticksFromSeconds, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import type { StepRun } from '../stepRun.ts'
import type { GenerateThread } from './generateThread.ts'
import type { Server, Thread } from './server.ts'

/** What a detokenise thread is given: a first token, a slot that is live from now on, or the tokens of one step. */
export interface Result {
  kind: 'first' | 'insert' | 'step'
  slot: number
  /** Of the table's slot, so that a result whose request has gone is known. */
  generation: number
  step: number
}

/** Reads results in order, sends tokens to clients, and closes requests. One for each generate engine. */
export class DetokeniseThread implements Thread {
  /** Sequences whose tokens it reads. */
  live = 0
  /** Steps of its generate engine that have been detokenised. */
  delivered = 0
  /** Live requests whose clients have left, in the order in which they left. */
  readonly departures: number[] = []
  readonly queue: Result[] = []
  #server: Server
  #generate!: GenerateThread
  #current: Result | undefined
  /** Live requests whose last token came at a time of its own; all others got theirs at `#last`. */
  #irregular: number[] = []
  readonly #last: Time = { seconds: 0, ticks: 0 }
  readonly #until: Time = { seconds: 0, ticks: 0 }
  readonly #at: Time = { seconds: 0, ticks: 0 }

  constructor(server: Server) {
    this.#server = server
  }

  serve(generate: GenerateThread): void {
    this.#generate = generate
  }

  get hasRoom(): boolean {
    const { detokeniseBacklog } = this.#server.options
    return detokeniseBacklog === 0 || this.queue.length < detokeniseBacklog
  }

  get until(): Time | undefined {
    return this.#current === undefined ? undefined : this.#until
  }

  /** Nothing in hand, nothing waiting, and the next step brings the same to everybody. */
  get isSteady(): boolean {
    return (
      this.#current === undefined &&
      this.queue.length === 0 &&
      this.#irregular.length === 0 &&
      this.departures.length === 0
    )
  }

  /** Ticks that the tokens of one step take now. */
  get stepTicks(): number {
    return this.#ticks(this.live)
  }

  put(result: Result): void {
    this.queue.push(result)
  }

  advance(now: Time): boolean {
    let moved = false
    while (this.#current === undefined && this.queue.length > 0) {
      moved = true
      const result = this.queue.shift()!
      const ticks = this.#ticksOf(result)
      if (ticks === 0) {
        this.#deliver(result, now)
        continue
      }
      copyTime(this.#at, now)
      this.work(result, addTicks(this.#at, ticks))
    }
    return moved
  }

  /** Has `result` in hand until `until`. */
  work(result: Result, until: Time): void {
    this.#current = result
    copyTime(this.#until, until)
  }

  end(now: Time): void {
    const result = this.#current!
    this.#current = undefined
    this.#deliver(result, now)
  }

  /** Tokens the request's client has got from generate steps, when `delivered` of them have been read. */
  stepsOut(slot: number, delivered = this.delivered): number {
    const { table } = this.#server
    return Math.min(table.outputTokens[slot]! - 1, Math.max(0, delivered - table.joinStep[slot]!))
  }

  /** Steps `from` .. `upTo` - 1 of the run have been detokenised, each `ticks` after its end: the same for all that live. */
  deliverRun(run: StepRun, from: number, upTo: number, ticks: number): void {
    if (upTo <= from) return
    const { observer, context } = this.#server
    const at = addTicks(run.boundary(from + 1, this.#at), ticks)
    const gap = ticksBetween(at, this.#last)
    if (this.live > 0) {
      const start = toSeconds(this.#last)
      const first = run.firstTicks + run.growthTicks * from
      const steps = upTo - from
      if (gap === first) observer.decodeRun(context.replica, start, steps, this.live, gap, run.growthTicks)
      else {
        observer.decodeRun(context.replica, start, 1, this.live, gap, 0)
        const second = first + run.growthTicks
        if (steps > 1) observer.decodeRun(context.replica, toSeconds(at), steps - 1, this.live, second, run.growthTicks)
      }
    }
    this.delivered += upTo - from
    addTicks(run.boundary(upTo, this.#last), ticks)
  }

  #ticks(sequences: number): number {
    const { detokeniseSecondsPerStep, detokeniseSecondsPerSequence } = this.#server.options
    return ticksFromSeconds(detokeniseSecondsPerStep + detokeniseSecondsPerSequence * sequences)
  }

  #ticksOf({ kind }: Result): number {
    if (kind === 'insert') return 0
    return this.#ticks(kind === 'first' ? 1 : this.live)
  }

  #deliver(result: Result, now: Time): void {
    if (result.kind === 'step') this.#deliverStep(result.step, now)
    else if (result.kind === 'insert') this.#activate(result.slot, now)
    else if (this.#server.table.generation[result.slot] === result.generation) this.#deliverFirst(result.slot, now)
  }

  /** The detokenise thread of a prefill engine may be another than that of the generate engine: a first token can come late. */
  #deliverFirst(slot: number, now: Time): void {
    const { table, stages } = this.#server
    stages.firstOut[slot] = 1
    this.#server.metrics.firstRead(slot, now)
    if (table.phase[slot] === PHASE.leaving) {
      this.#tellFirst(slot, table.outputTokens[slot]! - 1, now)
      this.#complete(slot, now)
      return
    }
    const generating = table.phase[slot] === PHASE.decode
    const reader = generating ? this.#server.detokenise[stages.generate[slot]!]! : this
    const before = generating ? reader.stepsOut(slot) : 0
    if (before > 0 && stages.ownTime[slot] === 0) reader.#takeOut(slot)
    this.#tellFirst(slot, before, now)
    this.#server.setLastToken(slot, now)
  }

  /** A first token that comes after `before` others is to its client one more token. */
  #tellFirst(slot: number, before: number, now: Time): void {
    if (before > 0) this.#tellGap(slot, now)
    else if (!this.#server.hasLeft(slot)) this.#server.observer.firstToken(this.#server.table.id[slot]!, toSeconds(now))
  }

  /** From now on the request has a last token of its own. */
  #takeOut(slot: number): void {
    this.#server.setLastToken(slot, this.#last)
    this.#server.stages.ownTime[slot] = 1
    this.#irregular.push(slot)
  }

  #tellGap(slot: number, now: Time): void {
    const { observer, table } = this.#server
    if (this.#server.hasLeft(slot)) return
    this.#at.seconds = table.lastTokenSeconds[slot]!
    this.#at.ticks = table.lastTokenTicks[slot]!
    observer.tokenGap(table.id[slot]!, toSeconds(now), ticksBetween(now, this.#at))
  }

  #activate(slot: number, now: Time): void {
    const { stages } = this.#server
    if (this.#server.hasLeft(slot)) {
      this.#generate.group.calendar.remove(slot)
      this.#close(slot)
      this.#server.end(slot, now)
      return
    }
    this.live += 1
    stages.live[slot] = 1
    stages.ownTime[slot] = 1
    this.#irregular.push(slot)
  }

  #deliverStep(step: number, now: Time): void {
    const { stages, observer, context } = this.#server
    let regular = this.live - this.#irregular.length
    for (const slot of this.departures) if (stages.ownTime[slot] === 0) regular -= 1
    for (const slot of this.#irregular) this.#deliverOwn(slot, now)
    this.#irregular.length = 0
    if (regular > 0)
      observer.decodeRun(context.replica, toSeconds(this.#last), 1, regular, ticksBetween(now, this.#last), 0)
    this.delivered = step + 1
    copyTime(this.#last, now)
    this.#closeFinished(step, now)
    for (const slot of this.departures) {
      this.#generate.group.calendar.remove(slot)
      this.live -= 1
      this.#close(slot)
      this.#server.end(slot, now)
    }
    this.departures.length = 0
  }

  /** A request that ended with its first token and is decoded all the same gets no second one. */
  #deliverOwn(slot: number, now: Time): void {
    const { stages, table } = this.#server
    stages.ownTime[slot] = 0
    if (table.outputTokens[slot] === 1) return
    if (stages.firstOut[slot] === 0 && this.stepsOut(slot) === 0) this.#tellFirst(slot, 0, now)
    else this.#tellGap(slot, now)
  }

  #closeFinished(step: number, now: Time): void {
    const { stages, table } = this.#server
    const { calendar } = this.#generate.group
    for (let slot = calendar.at(step); slot !== NO_SLOT; ) {
      const next = table.finishNext[slot]!
      calendar.remove(slot)
      this.live -= 1
      this.#close(slot)
      if (this.#server.hasLeft(slot)) this.departures.splice(this.departures.indexOf(slot), 1)
      if (stages.firstOut[slot] === 0 && !this.#server.hasLeft(slot)) {
        table.phase[slot] = PHASE.leaving
        this.#server.setLastToken(slot, now)
      } else this.#complete(slot, now)
      slot = next
    }
  }

  #complete(slot: number, now: Time): void {
    const { metrics, options, table } = this.#server
    table.emitted[slot] = table.outputTokens[slot]!
    const generated = options.strict || table.outputTokens[slot]! > 1
    if (!this.#server.hasLeft(slot)) metrics.completed(slot, now, generated)
    this.#server.end(slot, now)
  }

  /** Gives the decode slot back, if that has not been done. */
  #close(slot: number): void {
    if (this.#server.stages.holdsSlot[slot] === 1) this.#generate.giveBack(slot)
  }
}
