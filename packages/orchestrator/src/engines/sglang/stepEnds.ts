import { copyTime, type Time, ticksBetween, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import { forgetDeparture, leaveGroup } from './leaving.ts'
import { cutToReceive } from './receiving.ts'
import { settle } from './settling.ts'
import type { SglangRun } from './sglangRun.ts'
import type { SglangState } from './sglangState.ts'
import { reportRun } from './stepFacts.ts'

/** All steps of `run` have ended at `now`: tokens go out, endings free their pages, the next run begins. */
export const endRun = (state: SglangState, run: SglangRun, now: Time): void => {
  if (state.lastComposed === run) {
    settle(state, run.steps)
    state.lastComposed = undefined
    state.endedDecodes = run.chunkCount === 0 ? run.steps : 0
  }
  reportRun(state, run, run.steps)
  state.kv.visibility.land()
  state.stepsDone += run.steps
  for (const slot of run.irregular) closeGap(state, slot, now)
  if (run.sequences > 0) endDecodes(state, run, now)
  for (let i = 0; i < run.chunkCount; i++) {
    const chunk = run.chunks[i]!
    if (chunk.completes && chunk.slot !== NO_SLOT && completePrompt(state, chunk.slot, now)) chunk.slot = NO_SLOT
  }
  state.giveBack(run)
  state.begin(state.next)
  state.next = undefined
  if (state.current !== undefined) {
    if (wantsStep(state)) state.current.steps = 1
    else if (state.unreceived.length > 0) cutToReceive(state, state.current, 1)
  } else if (hasWork(state)) {
    state.due = true
    copyTime(state.dueAt, now)
  } else {
    state.ratio.reset()
    state.endedDecodes = 0
  }
}

export const endDecodes = (state: SglangState, run: SglangRun, now: Time): void => {
  copyTime(state.decodeEnd, now)
  const last = run.firstStep + run.steps - 1
  for (let slot = state.group.calendar.at(last); slot !== NO_SLOT; ) {
    const next = state.table.finishNext[slot]!
    finishDecode(state, slot, last, now)
    slot = next
  }
}

export const finishDecode = (state: SglangState, slot: number, step: number, now: Time): void => {
  const table = state.table
  const group = state.group
  const held = group.computedAt(slot, group.step)
  const text = group.computedAt(slot, step + 1)
  leaveGroup(state, slot)
  table.emitted[slot] = table.outputTokens[slot]!
  finish(state, slot, table.joinComputed[slot]!, held, text, now)
}

/** A prompt is computed, its first or next token sampled, and its text enters the tree. True when the request has left this engine. */
export const completePrompt = (state: SglangState, slot: number, now: Time): boolean => {
  const table = state.table
  table.emitted[slot]! += 1
  if (table.irregular[slot] === 1) closeGap(state, slot, now)
  else if (table.clientLeft[slot] === 0) state.context.facts.observer.firstToken(table.id[slot]!, toSeconds(now))
  table.lastTokenSeconds[slot] = now.seconds
  table.lastTokenTicks[slot] = now.ticks
  const computed = table.computed[slot]!
  if (table.emitted[slot] === table.outputTokens[slot]) {
    let held = computed
    if (table.phase[slot] === PHASE.decode) {
      held = state.group.computedAt(slot, state.group.step)
      leaveGroup(state, slot)
    }
    finish(state, slot, computed, held, computed, now)
    return true
  }
  state.kv.commit(slot, computed)
  if (!state.context.prefillOnly) return false
  forgetDeparture(state, slot)
  state.running -= 1
  state.full = false
  table.phase[slot] = PHASE.transferring
  table.irregular[slot] = 1
  state.context.prefilled(slot, now)
  return true
}

/** The request has its last token: the group took pages for it from `basis` to `held` computed tokens, and `text` tokens enter the tree. */
export const finish = (
  state: SglangState,
  slot: number,
  basis: number,
  held: number,
  text: number,
  now: Time,
): void => {
  forgetDeparture(state, slot)
  state.table.privateBlocks[slot]! += state.kv.pagesFor(held) - state.kv.pagesFor(basis)
  state.kv.commit(slot, text)
  state.kv.release(slot)
  state.kv.forget(slot)
  state.running -= 1
  state.full = false
  state.context.finished(slot, now)
}

export const closeGap = (state: SglangState, slot: number, now: Time): void => {
  const table = state.table
  const at = state.at
  at.seconds = table.lastTokenSeconds[slot]!
  at.ticks = table.lastTokenTicks[slot]!
  table.irregular[slot] = 0
  if (table.clientLeft[slot] === 1) return
  state.context.facts.observer.tokenGap(table.id[slot]!, toSeconds(now), ticksBetween(now, at))
}

/** Something could change the composition at the next opportunity. */
export const wantsStep = (state: SglangState): boolean => {
  return (state.waiting.length > 0 && !state.full) || state.departures.length > 0 || state.inserted.length > 0
}

export const hasWork = (state: SglangState): boolean => {
  return state.waiting.length + state.unreceived.length > 0 || state.running > 0 || state.departures.length > 0
}
