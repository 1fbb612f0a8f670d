import { emptyBatch, type StepBatch } from '@windtunnel/cost/step/stepCost'
import { addTicks, copyTime, TICKS_PER_SECOND, type Time, ticksFromSeconds, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import type { DetokeniseThread } from './detokeniseThread.ts'
import type { Device } from './device.ts'
import { type PromptPieces, promptPieces } from './promptPieces.ts'
import type { Server, Thread } from './server.ts'

export type PrefillState =
  | 'idle'
  | 'wantsDevice'
  | 'prefilling'
  | 'betweenChunks'
  | 'saving'
  | 'blockedOnDetokenise'
  | 'blockedOnTransfer'

/** Takes prompts from the backlog, computes them, and hands the first token to be detokenised and the prefix on. */
export class PrefillThread implements Thread {
  state: PrefillState = 'idle'
  #server: Server
  #index: number
  #device: Device<Thread>
  #slot = NO_SLOT
  #pieces: PromptPieces = { realTokens: 0, count: 0, tokens: 0 }
  /** Passes that are done, or need not be. */
  #piece = 0
  /** Time to load a value of the prefix cache from the host, before the next pass. */
  #loadTicks = 0
  #batch: StepBatch = { ...emptyBatch(), chunkCount: 1 }
  readonly #start: Time = { seconds: 0, ticks: 0 }
  readonly #until: Time = { seconds: 0, ticks: 0 }

  constructor(server: Server, index: number, device: Device<Thread>) {
    this.#server = server
    this.#index = index
    this.#device = device
  }

  get until(): Time | undefined {
    return this.state === 'prefilling' || this.state === 'saving' ? this.#until : undefined
  }

  end(now: Time): void {
    if (this.state === 'saving') return this.#computed(now)
    const server = this.#server
    const { replica } = server.context
    server.observer.stepped(replica, toSeconds(this.#start), toSeconds(now), 1, 0, this.#pieces.tokens, 0, 0)
    server.stepsDone += 1
    this.#piece += 1
    if (this.#piece < this.#pieces.count && !server.hasLeft(this.#slot)) {
      this.state = 'betweenChunks'
      return
    }
    if (this.#piece === this.#pieces.count && this.#saves(now)) return
    this.#computed(now)
  }

  /** Puts the cache of the whole prompt into the prefix cache; true when that takes time. */
  #saves(now: Time): boolean {
    const { options, prefixes, table } = this.#server
    const { realTokens, count, tokens } = this.#pieces
    const slot = this.#slot
    if (prefixes === undefined || realTokens < options.chunkTokens) return false
    const bytes = count * tokens * options.kvBytesPerToken
    if (!prefixes.save(table.id[slot]!, table.prompt[slot]!, realTokens, bytes)) return false
    const ticks = ticksFromSeconds(bytes / options.prefixTrie!.copyBytesPerSecond)
    if (ticks === 0) return false
    this.state = 'saving'
    copyTime(this.#until, now)
    addTicks(this.#until, ticks)
    return true
  }

  #computed(now: Time): void {
    this.#server.stages.prefilledAt[this.#slot] = toSeconds(now)
    this.#device.release()
    this.state = 'blockedOnDetokenise'
  }

  advance(now: Time): boolean {
    let moved = false
    while (this.#step(now)) moved = true
    return moved
  }

  #step(now: Time): boolean {
    switch (this.state) {
      case 'idle':
        return this.#take(now)
      case 'wantsDevice':
        return this.#device.take(this) && this.#compute(now)
      case 'betweenChunks':
        return this.#compute(now)
      case 'prefilling':
      case 'saving':
        return false
      case 'blockedOnDetokenise':
        return this.#dropped(now) || this.handOver()
      case 'blockedOnTransfer':
        return this.#dropped(now) || this.#handPrefix()
    }
  }

  #take(now: Time): boolean {
    const server = this.#server
    const { table } = server
    if (server.backlog.length === 0) return false
    const slot = server.backlog.head()
    server.backlog.remove(slot)
    server.running += 1
    this.#slot = slot
    this.#pieces = promptPieces(table.inputTokens[slot]!, server.options)
    table.phase[slot] = PHASE.prefill
    server.stages.dequeuedAt[slot] = toSeconds(now)
    const queried = this.#pieces.realTokens
    const cached = this.#find(slot)
    server.observer.admitted(table.id[slot]!, toSeconds(now), server.context.replica, cached, queried, 0)
    this.state = 'wantsDevice'
    return true
  }

  /** Looks the prompt up in the prefix cache; returns the tokens that need not be computed. */
  #find(slot: number): number {
    const { options, prefixes, table } = this.#server
    this.#piece = 0
    this.#loadTicks = 0
    if (prefixes === undefined || this.#pieces.realTokens < options.chunkTokens) return 0
    const { tokens, loadBytes } = prefixes.load(table.prompt[slot]!, this.#pieces.realTokens)
    this.#piece = tokens / options.chunkTokens
    this.#loadTicks = ticksFromSeconds(loadBytes / options.prefixTrie!.hostBytesPerSecond)
    return tokens
  }

  /** Starts the next pass. */
  #compute(now: Time): boolean {
    const { context, observer, table } = this.#server
    const { realTokens, count, tokens } = this.#pieces
    const before = this.#piece * tokens
    const real = Math.min(tokens, realTokens - before)
    observer.prefillChunk(table.id[this.#slot]!, toSeconds(now), context.replica, real, before)
    const batch = this.#batch
    batch.chunkTokens[0] = tokens
    batch.chunkContext[0] = before
    batch.chunkSamples = this.#piece === count - 1 ? 1 : 0
    copyTime(this.#start, now)
    copyTime(this.#until, now)
    addTicks(this.#until, Math.max(1, Math.round(context.cost.seconds(batch) * TICKS_PER_SECOND)) + this.#loadTicks)
    this.#loadTicks = 0
    this.state = 'prefilling'
    return true
  }

  /** Lets go of a prompt whose client has left. */
  #dropped(now: Time): boolean {
    if (!this.#server.hasLeft(this.#slot)) return false
    this.#server.end(this.#slot, now)
    this.state = 'idle'
    return true
  }

  /** Puts the first token in hand before the detokenise thread; false when there is none or no room. */
  handOver(): boolean {
    const { options, table } = this.#server
    const slot = this.#slot
    if (this.state !== 'blockedOnDetokenise' || this.#server.hasLeft(slot) || !this.#detokenise.hasRoom) return false
    this.#detokenise.put({ kind: 'first', slot, generation: table.generation[slot]!, step: 0 })
    this.#server.metrics.prefilled(slot, this.#pieces.realTokens)
    if (table.outputTokens[slot] === 1 && !options.strict) {
      table.phase[slot] = PHASE.leaving
      this.state = 'idle'
    } else {
      this.state = 'blockedOnTransfer'
    }
    return true
  }

  /** The detokenise thread of the same number, whichever engine will generate. */
  get #detokenise(): DetokeniseThread {
    const threads = this.#server.detokenise
    return threads[this.#index % threads.length]!
  }

  #handPrefix(): boolean {
    const transfer = this.#server.transfer[this.#index]!
    if (!transfer.hasRoom) return false
    transfer.backlog.push(this.#slot)
    this.state = 'idle'
    return true
  }
}
