import { addTicks, copyTime, type Time, ticksFromSeconds, toSeconds } from '@windtunnel/des'
import { NO_SLOT } from '../../requests.ts'
import type { GenerateThread } from './generateThread.ts'
import { promptPieces } from './promptPieces.ts'
import type { Server, Thread } from './server.ts'

export type TransferState = 'idle' | 'copying' | 'blockedOnBacklog'

/** Chooses a generate engine for each prefix, copies the prefix there, and puts it into that engine's backlog. */
export class TransferThread implements Thread {
  state: TransferState = 'idle'
  readonly backlog: number[] = []
  #server: Server
  #slot = NO_SLOT
  #target: GenerateThread | undefined
  readonly #until: Time = { seconds: 0, ticks: 0 }

  constructor(server: Server) {
    this.#server = server
  }

  get hasRoom(): boolean {
    const { transferBacklog } = this.#server.options
    return transferBacklog === 0 || this.backlog.length < transferBacklog
  }

  get until(): Time | undefined {
    return this.state === 'copying' ? this.#until : undefined
  }

  end(now: Time): void {
    const { context, observer, table } = this.#server
    const { replica } = context
    this.#server.stages.generateQueuedAt[this.#slot] = toSeconds(now)
    if (!this.#server.hasLeft(this.#slot)) observer.transferred(table.id[this.#slot]!, toSeconds(now), replica, replica)
    this.state = 'blockedOnBacklog'
  }

  advance(now: Time): boolean {
    let moved = false
    while (this.#step(now)) moved = true
    return moved
  }

  #step(now: Time): boolean {
    if (this.state === 'copying') return false
    if (this.state === 'idle') return this.backlog.length > 0 && this.#take(now)
    if (this.#server.hasLeft(this.#slot)) this.#server.end(this.#slot, now)
    else if (this.#target!.hasRoom) this.#target!.backlog.push(this.#slot)
    else return false
    this.state = 'idle'
    return true
  }

  #take(now: Time): boolean {
    const server = this.#server
    const slot = this.backlog.shift()!
    if (server.hasLeft(slot)) {
      server.end(slot, now)
      return true
    }
    this.#slot = slot
    server.stages.transferTakenAt[slot] = toSeconds(now)
    server.stages.generateQueuedAt[slot] = toSeconds(now)
    this.#target = this.#choose()
    this.state = 'blockedOnBacklog'
    if (!server.interleaved) this.#copy(now)
    return true
  }

  /** Chosen before the copy, and not thought over after it. */
  #choose(): GenerateThread {
    const { generate, options } = this.#server
    const byFreeSlots = options.target === 'mostFreeSlots'
    let best = generate[0]!
    for (const engine of generate) {
      const slots = byFreeSlots ? engine.freeSlots - best.freeSlots : 0
      if (slots > 0 || (slots === 0 && engine.backlog.length < best.backlog.length)) best = engine
    }
    return best
  }

  /** The whole prefix, padding included. */
  #copy(now: Time): void {
    const { context, observer, options, table } = this.#server
    const pieces = promptPieces(table.inputTokens[this.#slot]!, options)
    const bytes = pieces.count * pieces.tokens * options.kvBytesPerToken
    observer.transferStarted(table.id[this.#slot]!, toSeconds(now), context.replica, context.replica, bytes)
    const ticks = ticksFromSeconds(options.transferLatencySeconds + bytes / options.transferBytesPerSecond)
    copyTime(this.#until, now)
    addTicks(this.#until, ticks)
    if (ticks > 0) this.state = 'copying'
    else this.end(now)
  }
}
