import { compareTime, copyTime, type Time, toSeconds } from '@windtunnel/des'
import { PHASE } from '../../requests.ts'
import type { Scheduler } from '../../schedulers/index.ts'
import { type Engine, type EngineContext, ORDER } from '../engine.ts'
import { refiled } from '../queueFor.ts'
import type { ServerMetric } from '../serverMetric.ts'
import { DetokeniseThread } from './detokeniseThread.ts'
import { Device } from './device.ts'
import { GenerateThread } from './generateThread.ts'
import type { JetstreamOptions } from './jetstreamOptions.ts'
import { PrefillThread } from './prefillThread.ts'
import { Server, type Thread } from './server.ts'
import { TransferThread } from './transferThread.ts'

/**
 * One JetStream server: prefill, transfer, generate and detokenise threads joined by bounded queues, as state machines on
 * virtual time. The rules are in SEMANTICS.md, "JetStream engines"; where decode steps are skipped, see GenerateThread.
 */
export class JetstreamEngine implements Engine {
  readonly #server: Server
  readonly #threads: Thread[]
  readonly #blocksPerSlot: number
  /** The threads are to advance at `#dueAt`. */
  #due = false
  readonly #dueAt: Time = { seconds: 0, ticks: 0 }
  peakUsedBlocks = 0

  constructor(context: EngineContext, options: JetstreamOptions, interleaved: boolean) {
    const server = new Server(context, options, interleaved)
    this.#server = server
    this.#blocksPerSlot = Math.ceil(options.maxModelLength / options.blockSize)
    const devices: Device<Thread>[] = []
    for (let i = 0; i < options.prefillEngines; i++) {
      const device = new Device<Thread>()
      devices.push(device)
      server.prefill.push(new PrefillThread(server, i, device))
      server.transfer.push(new TransferThread(server))
    }
    for (let i = 0; i < options.generateEngines; i++) {
      const detokenise = new DetokeniseThread(server)
      server.detokenise.push(detokenise)
      const device = interleaved ? devices[i]! : new Device<Thread>()
      server.generate.push(new GenerateThread(server, i, device, detokenise))
    }
    this.#threads = [...server.prefill, ...server.transfer, ...server.generate, ...server.detokenise]
  }

  get running(): number {
    return this.#server.running
  }

  get waiting(): number {
    return this.#server.backlog.length
  }

  get usedBlocks(): number {
    const { generate, options } = this.#server
    let slots = 0
    for (const engine of generate) slots += options.maxSequences - engine.freeSlots
    return slots * this.#blocksPerSlot
  }

  get totalBlocks(): number {
    return this.#server.generate.length * this.#server.options.maxSequences * this.#blocksPerSlot
  }

  get stepsDone(): number {
    return this.#server.stepsDone
  }

  /** State of every thread and length of every queue, for tests and tracing. */
  inside() {
    const { prefill, transfer, generate, detokenise } = this.#server
    return {
      prefill: prefill.map(({ state }) => state),
      transfer: transfer.map(({ state, backlog }) => ({ state, backlog: backlog.length })),
      generate: generate.map(({ state, backlog, freeSlots }) => ({ state, backlog: backlog.length, freeSlots })),
      detokenise: detokenise.map(({ queue, until }) => ({ working: until !== undefined, backlog: queue.length })),
    }
  }

  refuses(slot: number): string | undefined {
    const { options, table, backlog } = this.#server
    const input = table.inputTokens[slot]!
    const limit = table.maxTokens[slot]!
    if (!options.strict && input > options.maxPrefillLength)
      return `prompt of ${input} tokens exceeds the longest prefill of ${options.maxPrefillLength}`
    const kept = Math.min(input, options.maxPrefillLength)
    if (kept + limit > options.maxModelLength)
      return `prompt of ${kept} tokens and max_tokens ${limit} exceed the maximum model length of ${options.maxModelLength}`
    if (options.prefillBacklog > 0 && backlog.length >= options.prefillBacklog)
      return `the prefill backlog of ${options.prefillBacklog} requests is full`
    return undefined
  }

  nextEvent(into: Time): number | undefined {
    let order: number | undefined
    const offer = (time: Time, place: number): void => {
      const difference = order === undefined ? -1 : compareTime(time, into)
      if (difference > 0 || (difference === 0 && place >= order!)) return
      copyTime(into, time)
      order = place
    }
    if (this.#due) offer(this.#dueAt, ORDER.compose)
    for (const engine of this.#server.generate) if (engine.looksAgain) offer(engine.lookAgainAt, ORDER.compose)
    for (const thread of this.#threads) {
      const { until } = thread
      if (until !== undefined) offer(until, ORDER.stepEnd)
    }
    return order
  }

  handle(now: Time): void {
    const due = ({ until }: Thread): boolean => until !== undefined && compareTime(until, now) <= 0
    if (this.#threads.some(due)) {
      this.#cut(now, true)
      for (const thread of this.#threads) if (due(thread)) thread.end(now)
      this.#sendTokens(now)
      this.#wake(now)
      return
    }
    this.#cut(now, false)
    this.#due = false
    this.#settle(now)
    for (const engine of this.#server.generate) engine.extend()
    this.peakUsedBlocks = Math.max(this.peakUsedBlocks, this.usedBlocks)
  }

  enqueue(slot: number, now: Time): void {
    const { table, stages, context, backlog } = this.#server
    table.phase[slot] = PHASE.waiting
    table.replica[slot] = context.replica
    stages.open(slot, toSeconds(now))
    backlog.push(slot)
    // Behind others it changes nothing: they wait because every prefill engine is busy.
    if (backlog.length > 1) return
    this.#cut(now, false)
    this.#wake(now)
  }

  abandon(slot: number, now: Time): void {
    const { table, stages, context, backlog, detokenise } = this.#server
    this.#cut(now, false)
    this.#wake(now)
    if (table.phase[slot] === PHASE.waiting) {
      backlog.remove(slot)
      context.finished(slot, now)
    } else if (table.phase[slot] === PHASE.decode && stages.live[slot] === 1) {
      detokenise[stages.generate[slot]!]!.departures.push(slot)
    }
  }

  costChanged(now: Time): void {
    this.#cut(now, false)
    for (const engine of this.#server.generate) engine.costChanged()
    this.#wake(now)
  }

  setScheduler(scheduler: Scheduler): void {
    this.#server.backlog = refiled(this.#server.backlog, scheduler, this.#server.table)
  }

  reserveIncoming(): boolean {
    throw new Error('a JetStream server runs whole requests: give its pool the role both')
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
    const { table, stages, generate, detokenise } = this.#server
    const phase = table.phase[slot]!
    if (phase === PHASE.waiting) return 0
    // A request that has left its slot waits for its first token alone.
    if (phase === PHASE.leaving) return table.outputTokens[slot]! - 1
    const engine = stages.generate[slot]!
    const steps = phase === PHASE.decode ? detokenise[engine]!.stepsOut(slot, generate[engine]!.deliveredBy(now)) : 0
    return steps + stages.firstOut[slot]!
  }

  report(now: Time): void {
    for (const engine of this.#server.generate) engine.report(now)
  }

  cachedTokens(leaf: number, inputTokens: number): number {
    const { options, prefixes } = this.#server
    const kept = Math.min(inputTokens, options.maxPrefillLength)
    return prefixes === undefined || kept < options.chunkTokens ? 0 : prefixes.peek(leaf, kept)
  }

  /** Its prefix cache sends no events. */
  delayCacheEvents(seconds: number): void {
    if (seconds > 0 && this.#server.prefixes !== undefined)
      throw new RangeError('JetStream servers are asked for their prefix cache at once: eventDelaySeconds must be 0')
  }

  serverMetrics(now: Time): ServerMetric[] {
    return this.#server.metrics.page(now)
  }

  contextTokensAt(now: Time): number {
    let tokens = 0
    for (const engine of this.#server.generate) tokens += engine.contextTokensAt(now)
    return tokens
  }

  stuckReason(): string {
    const { backlog, table } = this.#server
    return backlog.length === 0
      ? 'nothing waits'
      : `request ${table.id[backlog.head()]} waits for a prefill engine: ${JSON.stringify(this.inside())}`
  }

  /** Tokens that are ready go before the detokenise threads, and out where that takes no time. */
  #sendTokens(now: Time): void {
    const { prefill, generate, detokenise } = this.#server
    for (let moved = true; moved; ) {
      moved = false
      for (const thread of prefill) moved = thread.handOver() || moved
      for (const thread of generate) moved = thread.handOver() || moved
      for (const thread of detokenise) moved = thread.advance(now) || moved
    }
  }

  /** Every thread in turn until none moves. */
  #settle(now: Time): void {
    for (let moved = true; moved; ) {
      moved = false
      for (const thread of this.#threads) moved = thread.advance(now) || moved
    }
  }

  #cut(now: Time, endsAreDue: boolean): void {
    for (const engine of this.#server.generate) engine.cut(now, endsAreDue)
  }

  #wake(now: Time): void {
    this.#due = true
    copyTime(this.#dueAt, now)
  }
}
