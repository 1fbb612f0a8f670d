import { addTicks, compareTime, copyTime, type Time, ticksFromSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import type { DetokeniseThread, Result } from './detokeniseThread.ts'
import type { Device } from './device.ts'
import { GenerateRun } from './generateRun.ts'
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
  readonly #run: GenerateRun
  #held: Result | undefined
  #slot = NO_SLOT
  readonly #until: Time = { seconds: 0, ticks: 0 }

  constructor(server: Server, index: number, device: Device<Thread>, detokenise: DetokeniseThread) {
    this.#server = server
    this.#index = index
    this.#device = device
    this.#detokenise = detokenise
    this.freeSlots = server.options.maxSequences
    this.group = new SlotGroup(server.table, server.context.attentionWindowTokens)
    this.#run = new GenerateRun(server, this.group, detokenise)
    detokenise.serve(this)
  }

  get hasRoom(): boolean {
    const { generateBacklog } = this.#server.options
    return generateBacklog === 0 || this.backlog.length < generateBacklog
  }

  get until(): Time | undefined {
    if (this.state === 'stepping') return this.#run.until
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
    this.#run.begin(now)
    this.state = 'stepping'
    return true
  }

  #stepped(): void {
    const { options, stages, table } = this.#server
    const last = this.#run.end()
    if (!options.strict) {
      const { calendar } = this.group
      for (let slot = calendar.at(last); slot !== NO_SLOT; slot = table.finishNext[slot]!)
        if (stages.holdsSlot[slot] === 1) this.giveBack(slot)
    }
    this.#held = { kind: 'step', slot: NO_SLOT, generation: 0, step: last }
    this.state = 'blockedOnDetokenise'
  }

  /** Something happens at `now`: nothing beyond the step in flight is skipped any longer. */
  cut(now: Time, endsAreDue: boolean): void {
    if (this.state !== 'stepping' || !this.#run.cut(now, endsAreDue)) return
    this.#device.release()
    this.state = 'ready'
  }

  /** Its next step costs something else than the one in progress. */
  costChanged(): void {
    this.#run.costChanged()
  }

  /** Makes the run as long as nothing changes (see above). To be called when all threads have come to rest. */
  extend(): void {
    if (this.state !== 'stepping' || this.#device.wanted || !this.#detokenise.isSteady) return
    if (this.freeSlots > 0 && (this.backlog.length > 0 || this.#waits())) return
    this.#run.extend()
  }

  /** Tells observers of the steps that have ended and were skipped. */
  report(now: Time): void {
    if (this.state === 'stepping') this.#run.report(now)
  }

  /** Steps of the engine whose tokens its clients have by `now`. */
  deliveredBy(now: Time): number {
    return this.#detokenise.delivered + (this.state === 'stepping' ? this.#run.skippedDeliveries(now) : 0)
  }

  contextTokensAt(now: Time): number {
    const { contextTokens, sequences } = this.group
    return contextTokens - sequences + (this.state === 'stepping' ? sequences * this.#run.endedBy(now) : 0)
  }
}
