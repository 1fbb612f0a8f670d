import { type Time, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import { leave } from './leaving.ts'
import { knownTokens, producedBy, whyNever } from './requestTokens.ts'
import type { SglangState } from './sglangState.ts'

/** Retracts running requests when the next decode step lacks pages. Returns whether somebody was. */
export const retractForRoom = (state: SglangState, now: Time): boolean => {
  const group = state.group
  const { kv } = state
  if (group.sequences === 0 || group.blocksNeededNow() <= kv.roomPages) return false
  const roomFor = (): number => kv.pagesFor(group.sequences * state.options.retractDecodeSteps)
  let first = true
  while (group.sequences > 1 && (first || Math.max(roomFor(), group.blocksNeededNow()) > kv.roomPages)) {
    first = false
    retract(state, state.members.victim(state.produced), now)
    kv.makeRoom(roomFor())
  }
  if (group.sequences === 1 && group.blocksNeededNow() > kv.roomPages) retract(state, state.members.list.first, now)
  raiseRatio(state)
  return true
}

export const raiseRatio = (state: SglangState): void => {
  const { sequences } = state.group
  let produced = 0
  for (let slot = state.members.list.first; slot !== NO_SLOT; slot = state.table.runNext[slot]!)
    produced += producedBy(state, slot)
  if (sequences === 0) state.ratio.reset()
  else state.ratio.retracted(produced, state.options.retractDecodeSteps * sequences, state.members.limits)
}

/** Takes a running request's pages and puts it at the end of the queue; fails it when it can never fit. */
export const retract = (state: SglangState, slot: number, now: Time): void => {
  const table = state.table
  const held = leave(state, slot, now, state.options.keepRetractedText)
  state.full = false
  table.computed[slot] = 0
  const outgrown = whyNever(state, knownTokens(state, slot) + 1)
  if (outgrown !== undefined) {
    state.kv.forget(slot)
    state.context.failed(slot, now, outgrown)
    return
  }
  table.phase[slot] = PHASE.waiting
  table.preemptions[slot]! += 1
  state.waiting.push(slot)
  state.context.facts.observer.preempted(table.id[slot]!, toSeconds(now), state.context.replica, held)
}
