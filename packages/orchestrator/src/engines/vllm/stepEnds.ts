import { copyTime, type Time, ticksBetween, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import type { StepRun } from '../stepRun.ts'
import { forgetDeparture, freeBlocks } from './departures.ts'
import { withdraw } from './promises.ts'
import { reportRun, settle } from './settling.ts'
import type { VllmState } from './vllmState.ts'

export const beginRun = (state: VllmState, run: StepRun, now: Time): void => {
  state.begin(run)
  const { computing } = state.context
  for (let i = 0; computing !== undefined && i < run.chunkCount; i++) {
    const { slot, tokens, context } = run.chunks[i]!
    if (slot !== NO_SLOT) computing(slot, context + tokens, now)
  }
}

/** All steps of `run` have ended at `now`: tokens go out, endings free their blocks, the next run begins. */
export const endRun = (state: VllmState, run: StepRun, now: Time): void => {
  if (state.lastComposed === run) {
    settle(state, run.steps)
    state.lastComposed = undefined
  }
  reportRun(state, run, run.steps)
  state.kv.visibility.land(now)
  state.stepsDone += run.steps
  const table = state.table
  const last = run.firstStep + run.steps - 1
  const { irregular } = run
  const regular = irregular.length === 0
  for (let slot = state.group.calendar.at(last); slot !== NO_SLOT; ) {
    const next = table.finishNext[slot]!
    if (regular || !irregular.includes(slot)) finishDecode(state, slot, last, now)
    slot = next
  }
  if (!regular) endIrregular(state, run, last, now)
  for (let i = 0; i < run.chunkCount; i++) {
    const chunk = run.chunks[i]!
    if (chunk.completes && chunk.slot !== NO_SLOT && completePrompt(state, chunk.slot, now)) chunk.slot = NO_SLOT
  }
  state.giveBack(run)
  const next = state.next
  state.next = undefined
  if (next !== undefined) {
    beginRun(state, next, now)
    if (next.steps > 1 && wantsStep(state)) next.steps = 1
    return
  }
  state.begin(undefined)
  if (hasWork(state)) {
    state.due = true
    copyTime(state.dueAt, now)
  }
}

/** Members whose gap did not begin with the step: each is told of by name. */
export const endIrregular = (state: VllmState, run: StepRun, last: number, now: Time): void => {
  const table = state.table
  for (const slot of run.irregular) {
    if (table.joinEmitted[slot] === 0) tellFirstToken(state, slot, now)
    else closeGap(state, slot, now)
    if (table.finishStep[slot] === last) finishDecode(state, slot, last, now)
  }
}

/** Something could change the composition at the next opportunity. */
export const wantsStep = (state: VllmState): boolean => {
  return (state.waiting.length > 0 && !state.blocked) || state.departures.length > 0 || state.inserted.length > 0
}

export const hasWork = (state: VllmState): boolean => {
  return state.waiting.length > 0 || state.running > 0 || state.departures.length > 0
}

export const closeGap = (state: VllmState, slot: number, now: Time): void => {
  const table = state.table
  const at = state.at
  at.seconds = table.lastTokenSeconds[slot]!
  at.ticks = table.lastTokenTicks[slot]!
  table.irregular[slot] = 0
  if (table.clientLeft[slot] === 1) return
  state.facts.observer.tokenGap(table.id[slot]!, toSeconds(now), ticksBetween(now, at))
}

export const tellFirstToken = (state: VllmState, slot: number, now: Time): void => {
  state.table.irregular[slot] = 0
  if (state.table.clientLeft[slot] === 0) state.facts.observer.firstToken(state.table.id[slot]!, toSeconds(now))
}

export const finishDecode = (state: VllmState, slot: number, step: number, now: Time): void => {
  const table = state.table
  const group = state.group
  group.calendar.remove(slot)
  const member = table.phase[slot] === PHASE.decode
  const text = group.computedAt(slot, step + 1)
  const held = member ? group.computedAt(slot, group.step) : text
  if (member) {
    group.leaveSums(slot)
    state.list.remove(slot)
  }
  table.emitted[slot] = table.outputTokens[slot]!
  finishRequest(state, slot, table.joinComputed[slot]!, held, text, now)
}

/** A prompt is computed and its token sampled. True when the request has left this engine. */
export const completePrompt = (state: VllmState, slot: number, now: Time): boolean => {
  const table = state.table
  if (state.emitsFirst && state.context.prefillOnly) return handOver(state, slot, now)
  table.emitted[slot]! += 1
  if (table.emitted[slot] === 1) tellFirstToken(state, slot, now)
  else if (table.irregular[slot] === 1) closeGap(state, slot, now)
  const phase = table.phase[slot]!
  const ends = table.emitted[slot] === table.outputTokens[slot]
  if (!ends && !state.context.prefillOnly) return false
  let held = table.computed[slot]!
  if (phase === PHASE.decode) {
    held = state.group.computedAt(slot, state.group.step)
    state.group.leaveSums(slot)
  }
  if (ends) {
    if (phase !== PHASE.leaving) state.list.remove(slot)
    finishRequest(state, slot, table.computed[slot]!, held, table.computed[slot]!, now)
    return true
  }
  return handOver(state, slot, now)
}

/** The prompt is computed; another replica decodes. Its KV stays until it is there. */
export const handOver = (state: VllmState, slot: number, now: Time): true => {
  const table = state.table
  if (table.phase[slot] !== PHASE.leaving) state.list.remove(slot)
  state.waiting.left?.(slot)
  forgetDeparture(state, slot)
  state.running -= 1
  state.blocked = false
  table.phase[slot] = PHASE.transferring
  table.lastTokenSeconds[slot] = now.seconds
  table.lastTokenTicks[slot] = now.ticks
  table.irregular[slot] = 1
  state.context.prefilled(slot, now)
  return true
}

export const finishRequest = (
  state: VllmState,
  slot: number,
  basis: number,
  held: number,
  text: number,
  now: Time,
): void => {
  forgetDeparture(state, slot)
  state.waiting.left?.(slot)
  freeBlocks(state, slot, basis, held, text, 'past')
  state.running -= 1
  withdraw(state, slot)
  state.blocked = false
  state.context.finished(slot, now)
}
