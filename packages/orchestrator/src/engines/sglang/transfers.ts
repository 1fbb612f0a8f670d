import type { Time } from '@windtunnel/des'
import { PHASE } from '../../requests.ts'
import { settleBy } from './settling.ts'
import type { SglangState } from './sglangState.ts'

export const reserveIncoming = (state: SglangState, slot: number, now: Time): boolean => {
  settleBy(state, now)
  const { kv } = state
  const { maxSequences, reservedDecodeTokens, blockSize } = state.options
  const pages = kv.pagesFor(state.table.inputTokens[slot]!)
  const others = state.running
  if (others >= maxSequences) return false
  const wanted = others === 0 ? (pages + 1) * blockSize : pages * blockSize + reservedDecodeTokens * (others + 1)
  if (wanted > kv.roomPages * blockSize) return false
  state.running += 1
  state.reserved += 1
  kv.take(pages)
  state.table.incomingBlocks[slot] = pages
  const run = state.lastComposed
  if (run !== undefined && run.sequences > 0)
    run.steps = state.settled + state.group.stepsThatFit(kv.roomPages, run.steps - state.settled)
  return true
}

export const insert = (state: SglangState, slot: number, now: Time): void => {
  settleBy(state, now)
  state.kv.visibility.setNow(now)
  const table = state.table
  table.phase[slot] = PHASE.decode
  table.replica[slot] = state.context.replica
  table.computed[slot] = table.inputTokens[slot]!
  table.joinStep[slot] = Number.POSITIVE_INFINITY
  table.privateBlocks[slot] = table.incomingBlocks[slot]!
  state.inserted.push(slot)
  state.kv.commit(slot, table.inputTokens[slot]!)
  state.wake(now)
}

export const cancelIncoming = (state: SglangState, slot: number, now: Time): void => {
  settleBy(state, now)
  state.kv.giveBack(state.table.incomingBlocks[slot]!)
  state.running -= 1
  state.reserved -= 1
  state.full = false
  state.wake(now)
}

export const releaseTransferred = (state: SglangState, slot: number, now: Time): void => {
  settleBy(state, now)
  state.kv.release(slot)
  state.kv.forget(slot)
  state.full = false
  if (state.waiting.length > 0) state.wake(now)
}
