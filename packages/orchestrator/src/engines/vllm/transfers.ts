import type { Time } from '@windtunnel/des'
import { PHASE } from '../../requests.ts'
import { canPromise, promise, withdraw } from './promises.ts'
import { settleBy } from './settling.ts'
import type { VllmState } from './vllmState.ts'

/** Reserves blocks and a place for a cache that is to be transferred here; false when there is no room now. */
export const reserveIncoming = (state: VllmState, slot: number, now: Time): boolean => {
  const blocks = state.kv.blocksFor(state.table.inputTokens[slot]! - (state.emitsFirst ? 1 : 0))
  settleBy(state, now)
  if (blocks > state.kv.freeBlocks || state.running >= state.options.maxSequences) return false
  if (state.promises && !canPromise(state, slot, 0)) return false
  state.running += 1
  promise(state, slot)
  state.kv.take(blocks)
  state.table.incomingBlocks[slot] = blocks
  const run = state.lastComposed
  if (run !== undefined)
    run.steps = state.settled + state.group.stepsThatFit(state.kv.freeBlocks, run.steps - state.settled)
  return true
}

/** A prefilled request is here with its KV, in the blocks that were reserved: it decodes from the next composition on. */
export const insert = (state: VllmState, slot: number, now: Time): void => {
  state.table.phase[slot] = PHASE.decode
  state.table.replica[slot] = state.context.replica
  state.table.computed[slot] = state.table.inputTokens[slot]! + state.table.emitted[slot]! - 1
  state.table.joinStep[slot] = Number.POSITIVE_INFINITY
  state.inserted.push(slot)
  state.table.privateBlocks[slot] = state.table.incomingBlocks[slot]!
  settleBy(state, now)
  state.kv.receive(slot, state.table.computed[slot]!, now)
  state.wake(now)
}

/** Gives back what was reserved: the request will not come. */
export const cancelIncoming = (state: VllmState, slot: number, now: Time): void => {
  state.kv.giveBack(state.table.incomingBlocks[slot]!)
  state.running -= 1
  withdraw(state, slot)
  state.blocked = false
  state.wake(now)
}

/** Frees the KV of a request that has been handed over. */
export const releaseTransferred = (state: VllmState, slot: number, now: Time): void => {
  state.kv.release(slot)
  withdraw(state, slot)
  state.blocked = false
  if (state.waiting.length > 0) state.wake(now)
}
