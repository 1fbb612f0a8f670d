import { type Time, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import { queuedRequest } from '../queuedRequest.ts'
import type { StepRun } from '../stepRun.ts'
import { leaveRunning } from './departures.ts'
import { swapOut } from './hostSwap.ts'
import type { VllmState } from './vllmState.ts'

/** Tokens of the step being composed that are the request's. */
export const scheduledTokens = (state: VllmState, slot: number, run: StepRun): number => {
  if (state.table.phase[slot] === PHASE.decode) return 1
  for (let i = 0; i < run.chunkCount; i++) if (run.chunks[i]!.slot === slot) return run.chunks[i]!.tokens
  return 0
}

export const chooseVictim = (state: VllmState): number => {
  if (state.scheduler.victim === 'lastAdmitted') return state.list.last
  let worst = state.list.first
  let worstRank = rankOf(state, worst)
  for (let slot = state.table.runNext[worst]!; slot !== NO_SLOT; slot = state.table.runNext[slot]!) {
    const rank = rankOf(state, slot)
    if (rank > worstRank || (rank === worstRank && state.table.id[slot]! > state.table.id[worst]!)) {
      worst = slot
      worstRank = rank
    }
  }
  return worst
}

export const rankOf = (state: VllmState, slot: number): number => {
  return state.scheduler.rank!(queuedRequest(state.table, slot))
}

/** Takes a running request's blocks and puts it back into the queue; fails it when it can never fit. */
export const preempt = (state: VllmState, slot: number, run: StepRun, now: Time): void => {
  const table = state.table
  unschedule(slot, run)
  const decoded = table.phase[slot] === PHASE.decode
  const computed = leaveRunning(state, slot)
  if (table.emitted[slot]! > 0 && table.irregular[slot] === 0) {
    table.irregular[slot] = 1
    table.lastTokenSeconds[slot] = now.seconds
    table.lastTokenTicks[slot] = now.ticks
  }
  table.computed[slot] = 0
  const last = state.context.prefillOnly || table.emitted[slot]! + 1 >= table.maxTokens[slot]!
  const tokens = table.inputTokens[slot]! + table.emitted[slot]! + (last ? 0 : 1)
  const needed = state.kv.blocksFor(tokens)
  if (needed > state.kv.totalBlocks) {
    const reason = `${tokens} tokens need ${needed} KV blocks of ${state.kv.blockSize} tokens, the replica has ${state.kv.totalBlocks}`
    state.context.failed(slot, now, reason)
    return
  }
  table.phase[slot] = PHASE.waiting
  table.preemptions[slot]! += 1
  if (decoded) swapOut(state, slot)
  state.waiting.pushBack(slot)
  state.context.facts.observer.preempted(table.id[slot]!, toSeconds(now), state.context.replica, computed)
  state.context.preempted?.(slot, now)
}

/** Takes a victim's chunk out of the step being composed. */
export const unschedule = (slot: number, run: StepRun): void => {
  for (let i = 0; i < run.chunkCount; i++) {
    const chunk = run.chunks[i]!
    if (chunk.slot !== slot) continue
    run.prefillTokens -= chunk.tokens
    run.chunks.splice(i, 1)
    run.chunks.push(chunk)
    run.chunkCount -= 1
  }
  const irregular = run.irregular.indexOf(slot)
  if (irregular >= 0) run.irregular.splice(irregular, 1)
}
