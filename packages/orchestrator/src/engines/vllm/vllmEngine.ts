import { copyTime, type Time } from '@windtunnel/des'
import type { CacheHolders } from '../../kv/cacheHolders.ts'
import type { KvMemory } from '../../kv/kvMemory.ts'
import { NO_SLOT, PHASE } from '../../requests.ts'
import type { Scheduler } from '../../schedulers/index.ts'
import { pricesOf } from '../decodePrices.ts'
import type { Engine, EngineContext } from '../engine.ts'
import { compose } from './composition.ts'
import { leaveHost } from './hostSwap.ts'
import { emptyQueue, setScheduler } from './queueOrder.ts'
import { refuses } from './refusal.ts'
import { emittedBy, reportRun, settleBy } from './settling.ts'
import { endRun } from './stepEnds.ts'
import { cancelIncoming, insert, releaseTransferred, reserveIncoming } from './transfers.ts'
import type { VllmOptions } from './vllmOptions.ts'
import { VllmState } from './vllmState.ts'

/**
 * vLLM V1: one token budget a step, running requests first, chunked prefill, paged KV with recompute preemption, a prefix
 * cache, and optionally async scheduling. The rules are in SEMANTICS.md; this is their fast form: decoding requests are
 * running sums, and steps of one composition advance together as one StepRun.
 */
export class VllmEngine implements Engine {
  readonly streamsPrefill = true
  private readonly state: VllmState

  constructor(context: EngineContext, options: VllmOptions) {
    this.state = new VllmState(context, options)
    this.state.waiting = emptyQueue(this.state, context.scheduler)
  }

  get kv(): KvMemory {
    return this.state.kv
  }

  get running(): number {
    return this.state.running
  }

  get waiting(): number {
    return this.state.waiting.length
  }

  get usedBlocks(): number {
    const state = this.state
    return state.reserve === 'maximum' ? state.promised : state.kv.usedBlocks
  }

  get peakUsedBlocks(): number {
    const state = this.state
    return state.reserve === 'maximum' ? state.peakPromised : state.kv.peakUsedBlocks
  }

  get totalBlocks(): number {
    return this.state.kv.totalBlocks
  }

  get stepsDone(): number {
    return this.state.stepsDone
  }

  nextEvent(into: Time): number | undefined {
    return this.state.nextEvent(into)
  }

  handle(now: Time): void {
    const state = this.state
    const current = state.current
    if (current === undefined) {
      state.due = false
      compose(state, now, now)
      return
    }
    if (state.composesEarly) {
      compose(state, now, state.beginLastStep(current))
      return
    }
    endRun(state, current, now)
  }

  refuses(slot: number): string | undefined {
    return refuses(this.state, slot)
  }

  enqueue(slot: number, now: Time): void {
    const state = this.state
    const table = state.table
    table.phase[slot] = PHASE.waiting
    table.replica[slot] = state.context.replica
    copyTime(state.clock, now)
    state.waiting.push(slot)
    if (!state.blocked || (state.scheduler.rank !== undefined && state.waiting.head() === slot)) {
      state.blocked = false
      state.wake(now)
    }
  }

  abandon(slot: number, now: Time): void {
    const state = this.state
    const table = state.table
    const phase = table.phase[slot]!
    table.clientLeft[slot] = 1
    if (phase === PHASE.waiting) {
      state.waiting.remove(slot)
      leaveHost(state, slot)
      state.context.finished(slot, now)
      state.blocked = false
      state.wake(now)
      return
    }
    if (phase === PHASE.leaving) return
    state.departures.push(slot)
    state.wake(now)
  }

  costChanged(now: Time): void {
    this.state.prices = pricesOf(this.state.context.cost)
    this.state.cut(now)
  }

  setScheduler(scheduler: Scheduler, now: Time): void {
    setScheduler(this.state, scheduler, now)
  }

  reserveIncoming(slot: number, now: Time): boolean {
    return reserveIncoming(this.state, slot, now)
  }

  insert(slot: number, now: Time): void {
    insert(this.state, slot, now)
  }

  cancelIncoming(slot: number, now: Time): void {
    cancelIncoming(this.state, slot, now)
  }

  releaseTransferred(slot: number, now: Time): void {
    releaseTransferred(this.state, slot, now)
  }

  emittedBy(slot: number, now: Time): number {
    return emittedBy(this.state, slot, now)
  }

  report(now: Time): void {
    const current = this.state.current
    if (current !== undefined) reportRun(this.state, current, Math.min(current.endedBy(now), current.steps - 1))
  }

  cachedTokens(leaf: number, inputTokens: number, now: Time): number {
    const state = this.state
    settleBy(state, now)
    return state.kv.seenBlocks(leaf, Math.floor((inputTokens - 1) / state.kv.blockSize), now) * state.kv.blockSize
  }

  tellHolders(holders: CacheHolders): void {
    this.state.kv.tellHolders(holders, this.state.context.replica)
  }

  delayCacheEvents(seconds: number): void {
    this.state.kv.visibility.setDelay(seconds)
  }

  contextTokensAt(now: Time): number {
    const state = this.state
    settleBy(state, now)
    return state.group.contextTokens - state.group.sequences
  }

  stuckReason(): string {
    const state = this.state
    const slot = state.waiting.head()
    if (slot === NO_SLOT) return 'nothing waits'
    const known = state.table.inputTokens[slot]! + state.table.emitted[slot]!
    return `request ${state.table.id[slot]} waits for ${state.kv.blocksFor(known)} KV blocks, ${state.kv.freeBlocks} of ${state.kv.totalBlocks} are free`
  }
}
