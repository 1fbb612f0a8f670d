import type { Time } from '@windtunnel/des'
import type { CacheHolders } from '../../kv/cacheHolders.ts'
import type { RadixMemory } from '../../kv/radixMemory.ts'
import { NO_SLOT, PHASE } from '../../requests.ts'
import type { Scheduler } from '../../schedulers/index.ts'
import type { Engine, EngineContext } from '../engine.ts'
import { refiled } from '../queueFor.ts'
import { compose } from './composition.ts'
import { remove } from './leaving.ts'
import type { NewTokenRatio } from './newTokenRatio.ts'
import { wakeToReceive } from './receiving.ts'
import { knownTokens, whyNever } from './requestTokens.ts'
import { decodeStepsEndedBy, settleBy } from './settling.ts'
import type { SglangOptions } from './sglangOptions.ts'
import { SglangState } from './sglangState.ts'
import { endRun } from './stepEnds.ts'
import { reportRun } from './stepFacts.ts'
import { cancelIncoming, insert, releaseTransferred, reserveIncoming } from './transfers.ts'

/**
 * SGLang for one replica: a prefill batch whenever one can be formed, else a decode step; admission by tokens with a
 * forecast; a radix tree over the KV memory; retraction; optionally overlapped scheduling. The rules are in SEMANTICS.md;
 * this is their fast form: running requests are sums (DecodeGroup, RunningForecast), and decode steps of one composition
 * advance together as one SglangRun.
 *
 * Decode steps are skipped together until the first of: a request's last token; the end of the cost's affine piece; the
 * step whose pages are neither free nor evictable (then somebody is retracted); an arrival, unless the engine is full; a
 * transfer or a departure. The new-token ratio falls with every step, but it is read only when a prefill batch is tried,
 * and after a refusal for memory (`full`) none is tried until a running request leaves: the ratio never ends a run, and
 * its value is worked out from the count of steps. Evictions do not end a run either: they are made when somebody looks,
 * step by step in the order in which they fall due.
 */
export class SglangEngine implements Engine {
  private readonly state: SglangState

  constructor(context: EngineContext, options: SglangOptions) {
    this.state = new SglangState(context, options)
  }

  get kv(): RadixMemory {
    return this.state.kv
  }

  get ratio(): NewTokenRatio {
    return this.state.ratio
  }

  get running(): number {
    return this.state.running
  }

  get waiting(): number {
    return this.state.waiting.length + this.state.unreceived.length
  }

  get usedBlocks(): number {
    return this.state.kv.usedPages
  }

  get peakUsedBlocks(): number {
    return this.state.kv.peakUsedPages
  }

  get totalBlocks(): number {
    return this.state.kv.totalPages
  }

  get stepsDone(): number {
    return this.state.stepsDone
  }

  refuses(slot: number): string | undefined {
    const { table, options } = this.state
    const input = table.inputTokens[slot]!
    const limit = table.maxTokens[slot]!
    if (input + limit > options.maxModelLength) {
      return `prompt of ${input} tokens and max_tokens ${limit} exceed the maximum model length of ${options.maxModelLength}`
    }
    return whyNever(this.state, input + 1)
  }

  nextEvent(into: Time): number | undefined {
    return this.state.nextEvent(into)
  }

  handle(now: Time): void {
    const state = this.state
    const current = state.current
    state.kv.visibility.setNow(now)
    if (current === undefined) {
      state.due = false
      compose(state, now, now)
    } else if (state.composesEarly) {
      compose(state, now, state.beginLastStep(current))
    } else {
      endRun(state, current, now)
    }
  }

  enqueue(slot: number, now: Time): void {
    const state = this.state
    state.table.phase[slot] = PHASE.waiting
    state.table.replica[slot] = state.context.replica
    if (state.receiveInterval > 1) {
      state.unreceived.push(slot)
      wakeToReceive(state, now)
      return
    }
    state.waiting.push(slot)
    if (!state.full) state.wake(now)
  }

  costChanged(now: Time): void {
    this.state.cut(now)
  }

  setScheduler(scheduler: Scheduler, now: Time): void {
    const state = this.state
    state.waiting = refiled(state.waiting, scheduler, state.table)
    state.scheduler = scheduler
    state.full = false
    if (state.waiting.length > 0) state.wake(now)
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

  abandon(slot: number, now: Time): void {
    const state = this.state
    state.table.clientLeft[slot] = 1
    if (state.table.phase[slot] === PHASE.waiting) {
      if (!remove(state.unreceived, slot)) state.waiting.remove(slot)
      state.kv.forget(slot)
      state.context.finished(slot, now)
      return
    }
    state.departures.push(slot)
    state.wake(now)
  }

  emittedBy(slot: number, now: Time): number {
    const { table, group } = this.state
    if (table.phase[slot] !== PHASE.decode) return table.emitted[slot]!
    const ended = decodeStepsEndedBy(this.state, now)
    return ended <= table.joinStep[slot]!
      ? table.emitted[slot]!
      : Math.min(table.outputTokens[slot]!, group.emittedAt(slot, ended))
  }

  report(now: Time): void {
    const { current } = this.state
    if (current !== undefined) reportRun(this.state, current, Math.min(current.endedBy(now), current.steps - 1))
  }

  cachedTokens(leaf: number, inputTokens: number, now: Time): number {
    settleBy(this.state, now)
    const { kv } = this.state
    return kv.seenPages(leaf, Math.floor((inputTokens - 1) / kv.pageTokens), now) * kv.pageTokens
  }

  tellHolders(holders: CacheHolders): void {
    this.state.kv.tellHolders(holders, this.state.context.replica)
  }

  delayCacheEvents(seconds: number): void {
    this.state.kv.visibility.setDelay(seconds)
  }

  contextTokensAt(now: Time): number {
    settleBy(this.state, now)
    return this.state.group.contextTokens - this.state.group.sequences
  }

  stuckReason(): string {
    const { waiting, kv, table } = this.state
    const slot = waiting.head()
    if (slot === NO_SLOT) return 'nothing waits'
    const pages = kv.pagesFor(knownTokens(this.state, slot))
    return `request ${table.id[slot]} waits for ${pages} KV blocks, ${kv.roomPages} of ${kv.totalPages} can be had`
  }
}
