import { copyTime, type Time } from '@windtunnel/des'
import type { Scheduler } from '../../schedulers/index.ts'
import { PickedQueue } from '../pickedQueue.ts'
import { queueFor } from '../queueFor.ts'
import type { WaitingQueue } from '../waitingQueue.ts'
import { emittedBy } from './settling.ts'
import type { VllmState } from './vllmState.ts'

/** The waiting queue of a scheduler, empty. */
export const emptyQueue = (state: VllmState, scheduler: Scheduler): WaitingQueue => {
  const { table, kv } = state
  if (scheduler.start === undefined) return queueFor(scheduler, table)
  return new PickedQueue(table, scheduler.start(), {
    cachedTokens: (slot) => kv.match(slot, table.inputTokens[slot]! + table.emitted[slot]!) * kv.blockSize,
    emittedTokens: (slot) => emittedBy(state, slot, state.clock),
  })
}

/** Another queue order and victim rule from `now` on. */
export const setScheduler = (state: VllmState, scheduler: Scheduler, now: Time): void => {
  const old = state.waiting
  copyTime(state.clock, now)
  state.scheduler = scheduler
  state.waiting = emptyQueue(state, scheduler)
  while (old.length > 0) {
    const slot = old.head()
    old.remove(slot)
    state.waiting.push(slot)
  }
  state.blocked = false
  if (state.waiting.length > 0) state.wake(now)
}
